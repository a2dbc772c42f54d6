"""Which words are mathematics: names of functions, scripts that are words, and English."""

# Names that are upright, before what they are applied to.
FUNCTIONS = frozenset(
    "ln exp log max min tr det sup inf lim cos sin tan cot coth tanh artanh erfc erf arg argmax "
    "argmin diag circ sign sgn rank Pr KL TV Var Cov Lap clip poly polylog He TVD".split()
)
# Of these only with an argument in brackets or with a script: they are words otherwise.
BRACKETED = frozenset("exp log lim sup inf arg sign rank clip Pr KL TV TVD Lap sin poly".split())
# After these a letter or a number is a name of a place in a paper.
PLACES = frozenset(
    "Section Table Tables Figure Figures Appendix Theorem Lemma Corollary Proposition Definition "
    "Algorithm Example Assumption Remark Part Claim Step eq Sections and".split()
)
# English words of two or three letters. A word as short that is none is a product of letters.
ENGLISH = frozenset(
    "act ad add age ago aid aim air all alt am an and any are arm art as ask at ax bad bag "
    "bar be bed bet bid big bin bit box bug bus but buy by can cap car cf cow cry ct cup cut "
    "day did die dim do dot dry dub due dug ear eat eg egg ego elm end eq eqs era err etc eye "
    "far fat fed fee few fig fit fix fly fog for fun fur gap gas get gin go god got gum gun "
    "had has hat he hen her hid him hip his hit hop hot how hub ice id ie if iff ii iii ill "
    "in ink inn is it its iv ivy ix jam jar jaw jet job jog joy key kid la lab law lay le led "
    "leg let lid lie lip log lot low man map may me men met mix my nat nd net new nil no non "
    "nor not now odd of off oil ok old on one or our out own pan pay peg per pi pin pit pop "
    "pot pp pre pro put ran rat raw ray rd red rid rim rob rod row rub rug run sac sad sat "
    "saw say sd se sea see set sew she sin sip sir sit six sky sly so son spy st sub sue sum "
    "sun tag tan tap tar tax tea ten th the thr tie tip to toe ton too top toy try tub tug "
    "two up us use van vat vet vi via vii vow vs war was way we web wet who why win wit woe "
    "won yes yet you zip".split()
)
ACRONYMS = frozenset(
    "DP LP TV KL SNR PSK ARI NMI MSE RNA PDF CDF CSV JSON IID MAP SDP QP SVD PCA EM ML AI CI US "
    "UK EU ID OK AND OR NOT CPU GPU PLD RDP GDP LDP TVD PRV".split()
)


def is_product(word: str) -> bool:
    """Return whether a word of two or three letters reads as a product, such as kK or eTn."""
    if not (2 <= len(word) <= 3 and word.isascii() and word.isalpha()):
        return False
    # An English word has at most its first letter in capitals.
    english = word.lower() in ENGLISH and word[1:] == word[1:].lower()
    return not english and word not in ACRONYMS and word != "dB"
