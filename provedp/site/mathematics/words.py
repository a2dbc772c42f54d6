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
    "ab eq eqs pp ad ago aim air all am an and any are as at ax bad bar be bed bet big bit box bug but buy "
    "by can cap car cut day did die do due ear eat egg end era err etc even eye far few fit fix "
    "fly for gap gas get go god got had has he her him his hit how if ill in is it its job key "
    "kid lab law lay led let lie lot low man map may me men met mix my net new no non nor not now "
    "odd of off oil old on one or our out own pay per pi plus pre pro put ran rat raw red row run "
    "sad sat saw say sea see set she sit six sky so son sub sum sun tax tea ten than the they "
    "thr tie tip to too top try two up us use via vs war was way we who why win won yes yet you "
    "bin bag add act age ask bias cell cup dot fed fig hub hot hull iff iii ii iv ix vi vii id "
    "ie eg cf ct etc la le mu no nat net nil pan peg pin pit pop pot ray rid rim rob rod rub rug "
    "sac sea sew sin sip sir sly spy sub sue tag tan tap tar th nd rd st toe ton toy tub tug van "
    "vat vet vow web wet wit woe zip i'm ok dB sd se else bits lay bid aid alt arm art bus cow "
    "cry dim dry dub dug ego elm end era far fat fee fog fun fur gin gum gun hat hen hid hip hop "
    "ice ink inn ivy jam jar jaw jet jog joy leg lid lip log".split()
) - {"ab"}
ACRONYMS = frozenset(
    "DP LP TV KL SNR PSK ARI NMI MSE RNA PDF CDF CSV JSON IID MAP SDP QP SVD PCA EM ML AI CI US "
    "UK EU ID OK AND OR NOT CPU GPU PLD RDP GDP LDP TVD PRV".split()
)


def is_product(word: str) -> bool:
    """Return whether a word of two or three letters reads as a product, such as kK or eTn."""
    if not (2 <= len(word) <= 3 and word.isascii() and word.isalpha()):
        return False
    # An English word has at most its first letter in capitals.
    if word.lower() in ENGLISH and word[1:] == word[1:].lower():
        return False
    return word not in ACRONYMS and word not in ENGLISH
