"""The mathematics of statements: found, laid out as it is read, and without a symbol lost."""

import re
import unicodedata
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provedp.site.mathematics import formula, sentence
from provedp.site.mathematics.tokens import ACCENTS, SUBSCRIPTS, SUPERSCRIPTS
from provedp.verify.ledger import Paper, committed, papers

MARKS = {shown: mark for mark, shown in ACCENTS.items()}
RAISED = "".join(SUPERSCRIPTS) + "′″*"
LOWERED = "".join(SUBSCRIPTS)
PLAIN = str.maketrans(SUPERSCRIPTS | SUBSCRIPTS)
CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "mover": 2, "munder": 2}
# Letters, relations and other signs that no English sentence holds.
SIGN = re.compile("[α-ωΑ-ΩℓΣ≤≥≠∈√∞∫∇⁰-⁹¹²³₀-₉ᵀ]")

ENTRIES = committed.entries()
STATEMENTS = [entry.statement for entry in ENTRIES]
ITEMS = [item.statement for paper in Paper for item in papers.items(paper).values()]
ARGUED = [step for entry in ENTRIES for step in entry.data["argued"] or ()]


def parsed(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<p>{html}</p>")


def read(element: ElementTree.Element) -> str:
    """Read HTML aloud: its text in order, a stroke for a fraction, a sign for a root."""
    parts = [read(child) for child in element]
    if element.tag == "mfrac":
        inner = "/".join(parts)
    elif element.tag in ("mover", "munder"):
        inner = parts[0] + MARKS[parts[1]]
    else:
        inner = (element.text or "") + "".join(
            part + (child.tail or "") for child, part in zip(element, parts, strict=True)
        )
        return ("√" if element.tag == "msqrt" else "") + inner
    return inner


def symbols(text: str) -> str:
    """Return what a text says, without what is layout alone; scripts below before those above."""
    index = rf"(?:_\([^()]*\)|_[^\W_]+|[{LOWERED}]+)"
    text = re.sub(rf"([{re.escape(RAISED)}]+)({index})", r"\2\1", text)
    text = unicodedata.normalize("NFD", text).translate(PLAIN)
    return re.sub(r"[\s_^(){}`]", "", text)


def test_no_symbol_is_lost_or_moved() -> None:
    texts = [*STATEMENTS, *ITEMS, *ARGUED]
    assert len(texts) > 1000
    changed = [text for text in texts if symbols(read(parsed(sentence(text)))) != symbols(text)]
    assert changed == []


def test_elements_have_the_parts_that_mathml_asks_for() -> None:
    elements = [e for text in [*STATEMENTS, *ITEMS, *ARGUED] for e in parsed(sentence(text)).iter()]
    assert {"mfrac", "msubsup", "msqrt", "mover"} <= {element.tag for element in elements}
    assert all(len(e) == CHILDREN[e.tag] for e in elements if e.tag in CHILDREN)


def test_nearly_all_statements_have_mathematics() -> None:
    rendered = [sentence(text) for text in STATEMENTS]
    with_signs = [bool(SIGN.search(re.sub("`[^`]*`", "", text))) for text in STATEMENTS]
    found = ["<math" in html for html in rendered]
    assert all(f for f, s in zip(found, with_signs, strict=True) if s)
    assert sum(found) >= 0.97 * len(STATEMENTS)
    assert not any('<span class="math">' in html for html in rendered)  # nothing is given up on
    outside = [re.sub(r"<math.*?</math>|<code>.*?</code>", "", html) for html in rendered]
    assert not [text for text in outside if SIGN.search(text.replace("≤", "").replace("≥", ""))]


E = "<mi>e</mi>"


@pytest.mark.parametrize(
    ("text", "mathml"),
    [
        ("p_e*", f"<msubsup><mi>p</mi>{E}<mo>*</mo></msubsup>"),
        ("p*_ij", "<msubsup><mi>p</mi><mrow><mi>i</mi><mi>j</mi></mrow><mo>*</mo></msubsup>"),
        ("u₃", "<msub><mi>u</mi><mn>3</mn></msub>"),
        ("x²", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("λ̃", '<mover accent="true"><mi>λ</mi><mo stretchy="false">~</mo></mover>'),
        ("(a + b)/n", "<mfrac><mrow><mi>a</mi><mo form=\"infix\">+</mo><mi>b</mi></mrow>"
                      "<mi>n</mi></mfrac>"),
        ("√(x y)", '<msqrt><mi>x</mi><mspace width=".17em" /><mi>y</mi></msqrt>'),
        ("e^ε_init", f"<msup>{E}<msub><mi>ε</mi><mi class=\"up\">init</mi></msub></msup>"),
        ("−x", '<mo form="prefix">−</mo><mi>x</mi>'),
    ],
)  # fmt: skip
def test_layout_by_hand(text: str, mathml: str) -> None:
    found = formula(text)
    assert found is not None
    assert found.replace('"/>', '" />') == f"<math>{mathml}</math>"


@pytest.mark.parametrize("text", ["1/2B", "a/bc", "a/b/c"])
def test_a_stroke_that_may_be_read_in_two_ways_stays_in_line(text: str) -> None:
    found = formula(text)
    assert found is not None
    assert "mfrac" not in found
    assert read(parsed(found)) == text


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [
        ("ln n/n", "lnn", "n"),
        ("n/ln n", "n", "lnn"),
        ("2Kc/3", "2Kc", "3"),
        ("1/(2M)", "1", "2M"),
        ("A/p_floor²", "A", "pfloor2"),
        ("3√3 B²/N", "B2", "N"),
    ],
)
def test_what_a_stroke_divides(text: str, above: str, below: str) -> None:
    found = formula(text)
    assert found is not None
    (fraction,) = parsed(found).iter("mfrac")
    assert [symbols(read(part)) for part in fraction] == [above, below]


@pytest.mark.parametrize("text", ["e^(εu/2)", "h^(1/(2β + d))"])
def test_fractions_in_exponents_stay_in_line(text: str) -> None:
    assert "mfrac" not in str(formula(text))


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("A record of a class, as in (26), (22b) or (P2), is 1 of 6.", []),
        ("A (ln k, δ)-private release is a mixture.", ["(lnk,δ)"]),
        ("For a ≤ b let A be a set, a, b in it.", ["a≤b", "A", "a", "b"]),
        ("x's sum, Young's and i.i.d. noise", ["x"]),
        ("For M = 4, 5 the factor 6 % of Table I", ["M=4"]),
        ("The k-dependent penalty of 4-PSK or DP-GRAMS-C", ["k"]),
        ("Entries are ≥ 0 and max of all", ["≥0"]),
        ("One query at `low` or `a_name_here`", []),
        ("With kK − 1 and eTn ≥ 2", ["kK−1", "eTn≥2"]),
        ("a bracket ( that is left open, x ≤ 1", ["x≤1"]),
    ],
)
def test_what_is_mathematics_in_a_sentence(text: str, formulas: list[str]) -> None:
    found = ["".join(math.itertext()) for math in parsed(sentence(text)).iter("math")]
    assert found == formulas


def test_text_is_escaped() -> None:
    html = sentence("<script>x < y & `<b>`</script>")
    assert "<script" not in html
    assert "<code>&lt;b&gt;</code>" in html


LETTERS = st.sampled_from(["x", "y", "B", "ε", "δ", "Σ", "p", "λ̃", "θ*", "α_M", "x₁", "w_ij", "q²"])
ATOMS = LETTERS | st.integers(0, 99).map(str) | st.just("ln x")


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(" + ".join),
        pairs.map(lambda p: f"({p[0]})/({p[1]})"),
        pairs.map(lambda p: f"f({p[0]}, {p[1]})"),
        inner.map(lambda x: f"√({x})"),
        inner.map(lambda x: f"e^({x})"),
        ATOMS.map(lambda x: f"|{x}|"),  # bars in bars may be read in two ways
        ATOMS.map(lambda x: f"‖{x}‖_max"),
        pairs.map(lambda p: f"({p[0]})({p[1]})"),
    )


FORMULAS = st.recursive(ATOMS, compound, max_leaves=8)


@given(FORMULAS)
def test_generated_formulas_lose_nothing(text: str) -> None:
    whole = f"z = {text}"
    html = sentence(whole)
    assert "<math" in html
    assert symbols(read(parsed(html))) == symbols(whole)
    for element in parsed(html).iter():
        assert len(element) == CHILDREN.get(element.tag, len(element))


@given(st.text(alphabet="xαβp_^()[]{}|‖/√*+−=≤²₁ᵀ′ ,.a1 Σ`'", max_size=24))
def test_no_text_breaks_it(text: str) -> None:
    html = sentence(text)
    assert symbols(read(parsed(html))).replace("*", "") != "" or symbols(text).strip("*") == ""
    assert sorted(symbols(read(parsed(html)))) == sorted(symbols(text))
