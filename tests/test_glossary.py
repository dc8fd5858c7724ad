"""One language: public names are made of the glossary's terms and of plain words."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
MOST_TERMS = 60
MOST_GERUNDS = 20
# Words of translated English in names, comments and docstrings. Most that are left are stored
# names (`told`), gaps of sentences, help texts of commands, and what the training still has.
TELL_TALES = re.compile(
    r"\b(nobody|told|beside|alike|by itself|whoever|so many|lies|stands|says)\b", re.IGNORECASE
)
MOST_TELL_TALES = {"vision/train": 5, "": 55}

# Modules whose name ends in -ing because the field says it so, or because it is a noun.
GERUNDS: Final = frozenset(
    {
        "by_standing",
        "dice_tracking",
        "evening",
        "pairing",
        "rendering",
        "scoring",
        "seating",
        "tracing",
        "training",
        "wing",
        "wiring",
    }
)

# Words that need no glossary, in their base form; sorted.
_WORDS: Final = """
abandoned account act active actor address admission advice again allowed alone alternatives
announcement announcer answer api archive area arrangement ask atlas attendance attributed
attribution awaited award away back backoff bad bar batch begin best bin block bond bonus book both
bound bracket build by cache calibrated call cancel candidate card category cell challenge chance
choice choose citations class clip clock close code codec comparison confirm conflict confusion
connection constraints contradiction corners correct correction costs count course crop cut darkroom
database deal decision delete descent design detector device dialect difference director dispute
doubt draw due edition embedding end enter entry error evaluation evening examination examiner
expected exposure face facts fail falling fault field file film finder fingerprint finish for form
format found future gap gate greeting ground group hand handler header history hold holder http
inferred inspected intake invited item join judged judgement keep key kind last late lattice lay
layout leader learned leave lens lesson light likelihoods likeness link list listener local
localized log loser lot luck made maps mark marked match material measured measures meeting memory
merge mesh model move much name network next no not notary notated note nothing notifier number
objection of off one open opponent option outcome outdated outline overrule overview own paint
partial pass paths pattern penalty people photo photograph picture piles place placement plan play
player point policy pose postgres postgresql presence pressed printed probability profile progress
proof propose publish pyramid question rated rating read receipt receiver record reduced refuse
registrar registry reject relaxation reliability remark reopen replace replan replay reply report
repository reroll resolved restore resumed return review rim rod row rummikub scene scenery schema
school score scoreboard search season seat seed seen selector service settings settle setup shape
shares sheet shooting short shot show side sign signature slab slip slot solo source space specimen
split sprite sql sqlite standing start status step stock stop studio style submit subscription
summary summed surface swiss switch take tally team text thing thresholds throttle ticked ticket
tiebreak token too top total tracer tracked tracker trained training truth turn undo unknown up
uphold value variance verdict viewpoint violation vision waitlist watch weights whole winner wire
withdraw within wording worker world yes
"""
PLAIN: Final = _WORDS.split()

# Words of a dialect that only the code spoke: in no term, and no plain word.
DIALECT: Final = frozenset(
    [
        "annals",
        "belief",
        "deed",
        "floor",
        "heard",
        "look",
        "manner",
        "moment",
        "reception",
        "room",
        "said",
        "say",
        "sight",
        "sitting",
        "sway",
        "tell",
        "throw",
        "thrown",
        "told",
    ]
)

IRREGULAR: Final = {
    "begun": "begin",
    "chosen": "choose",
    "drawn": "draw",
    "held": "hold",
    "kept": "keep",
    "laid": "lay",
    "left": "leave",
    "made": "make",
    "seen": "see",
    "shown": "show",
    "taken": "take",
    "undone": "undo",
    "upheld": "uphold",
    "withdrew": "withdraw",
}
ENDINGS: Final = (
    ("ies", "y"),
    ("ied", "y"),
    ("s", ""),
    ("es", ""),
    ("d", ""),
    ("ed", ""),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("r", ""),
)

_CACHE_KEY: Final = "its repr is the key of rendered pictures in the cache: hours of rendering"

# Class names that neither the glossary nor plain words explain, each with its reason.
EXEMPT: Final = {
    "Look": _CACHE_KEY,
}

# Public classes of one name in several packages, each with the reason.
NAMESAKES: Final = {
    "Box": "players' word in both: a box of the scoresheet, the box of tiles",
    "Card": "players' word in both: a card of boxes, a playing card",
    "HouseRules": "players' word in each game",
    "Laid": _CACHE_KEY,
    "Light": _CACHE_KEY,
    "Rack": _CACHE_KEY,
    "Round": "players' word in both: a round of Rummikub, a round of an event",
    "State": "each rulebook has one, and no module sees two",
}


def rows() -> list[tuple[str, str]]:
    """The glossary's terms with the cell that says where each lives."""
    lines = GLOSSARY.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("| ")]
    return [(term, place) for _, term, _, place, _ in cells if term != "term"]


def bases(word: str) -> Iterator[str]:
    """A word, and what it may be an inflection of."""
    yield word
    if word in IRREGULAR:
        yield IRREGULAR[word]
    for ending, instead in ENDINGS:
        if word.endswith(ending):
            yield word.removesuffix(ending) + instead
    if doubled := re.fullmatch(r"(.+)(.)\2(ed|ing|er)", word):
        yield doubled[1] + doubled[2]


@cache
def public_classes() -> dict[str, list[Path]]:
    """The public classes of scoreboard and vision by name, with the modules that define them."""
    found = defaultdict(list)
    for package in ("scoreboard", "vision"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path.relative_to(ROOT))
    return dict(found)


def unexplained(name: str) -> list[str]:
    """The words of a class name that are neither a term's nor plain."""
    known = {word for term, _ in rows() for word in term.replace("-", " ").split()} | set(PLAIN)
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)]
    return [word for word in words if known.isdisjoint(bases(word))]


def test_the_glossary_is_short_and_says_where() -> None:
    """A newcomer reads it in ten minutes, and each place that it names is there."""
    terms = [term for term, _ in rows()]
    assert len(set(terms)) == len(terms) <= MOST_TERMS
    for term, cell in rows():
        places = re.findall(r"`([^`]+)`", cell)
        assert places, f"{term}: say where it lives"
        gone = [place for place in places if not (ROOT / place).exists()]
        assert gone == [], f"{term}: correct its place in docs/glossary.md"


def test_public_classes_speak_the_glossary() -> None:
    """Whoever knows the glossary and English can read a class name."""
    strange = {name: words for name in public_classes() if (words := unexplained(name))}
    assert {name: words for name, words in strange.items() if name not in EXEMPT} == {}, (
        "name it in the glossary's terms, or add a plain word to PLAIN"
    )
    settled = sorted(EXEMPT.keys() - strange.keys())
    assert settled == [], "these need no exemption any more: delete them from EXEMPT"


def test_nothing_brings_the_dialect_back() -> None:
    """Neither a term nor a plain word is one that only this code ever used so."""
    assert sorted(set(PLAIN)) == PLAIN, "keep the words sorted"
    assert DIALECT.isdisjoint(PLAIN)
    assert DIALECT.isdisjoint(word for term, _ in rows() for word in term.split())


def test_one_name_means_one_thing() -> None:
    """No public class shares its name with one of another package, but for a stated reason."""
    shared = {
        name: sorted(str(path) for path in paths)
        for name, paths in public_classes().items()
        if len({path.parent for path in paths}) > 1
    }
    assert {name: paths for name, paths in shared.items() if name not in NAMESAKES} == {}
    settled = sorted(NAMESAKES.keys() - shared.keys())
    assert settled == [], "these names are unique: delete them from NAMESAKES"


def test_modules_are_topics() -> None:
    """A module is a noun; few of the field's nouns end in -ing."""
    packages = ("scoreboard", "vision", "hardware", "web", "models")
    files = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    names = {path.parent.name if path.name == "__init__.py" else path.stem for path in files}
    assert sorted({name for name in names if name.endswith("ing")} - GERUNDS) == []
    assert len(GERUNDS) <= MOST_GERUNDS


def test_few_sentences_sound_translated() -> None:
    """Ten words by which translated English gives itself away are rare, and get no more."""
    counts = dict.fromkeys(MOST_TELL_TALES, 0)
    for package in ("scoreboard", "vision", "hardware", "web", "models"):
        for path in (ROOT / package).rglob("*.py"):
            read = io.StringIO(path.read_text(encoding="utf-8")).readline
            words = " ".join(
                " ".join(token.string.split())
                for token in tokenize.generate_tokens(read)
                if token.type in {tokenize.NAME, tokenize.COMMENT} or '"""' in token.string
            )
            part = "vision/train" if path.is_relative_to(ROOT / "vision" / "train") else ""
            counts[part] += len(TELL_TALES.findall(words))
    more = {part: count for part, count in counts.items() if count > MOST_TELL_TALES[part]}
    assert more == {}, "say it in plain English; lower MOST_TELL_TALES where there are fewer"
