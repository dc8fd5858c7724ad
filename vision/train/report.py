"""The page beside the model: what it reads right, source by source, and the log of readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from vision.evaluate.scoring import (
    Confusion,
    JudgedPiece,
    PhotoScore,
    Reliability,
    ScoredSource,
    SourceScore,
    together,
)
from vision.read.observation import UNREADABLE


@dataclass(frozen=True, slots=True)
class BadPhoto:
    """A photograph that was not read exactly, with the name of its source."""

    source: str
    score: PhotoScore

    @property
    def mistakes(self) -> int:
        """How many pieces are wrong or missed, and how many were seen where none lie."""
        return self.score.pieces - self.score.right + self.score.false

    @property
    def silent(self) -> bool:
        """Whether nobody was asked to look."""
        return not self.score.needs_review

    def __str__(self) -> str:
        """Tell what went wrong: "said 3 for 5, missed 4 (2 times), false 1"."""
        told = Counter([*_misread(self.score.judged), *_false(self.score)])
        return ", ".join(
            what if times == 1 else f"{what} ({times} times)" for what, times in told.items()
        )


def worst_photos(sources: Iterable[ScoredSource], count: int) -> tuple[BadPhoto, ...]:
    """The photographs with most mistakes, at most `count`; of two alike the silent one first."""
    bad = [
        BadPhoto(source.name, photo)
        for source in sources
        for photo in source.photos
        if not photo.exact
    ]
    bad.sort(key=lambda each: (-each.mistakes, not each.silent, each.source, each.score.file))
    return tuple(bad[:count])


def _misread(pieces: Iterable[JudgedPiece]) -> list[str]:
    return [
        f"said {each.said} for {each.label}" if each.found else f"missed {each.label}"
        for each in pieces
        if not each.right
    ]


def _false(score: PhotoScore) -> list[str]:
    said = [each.said for each in score.detections if each.label is None]
    return [f"false {each if each != UNREADABLE else 'piece'}" for each in said]


LOG: Final = "## For the record"
WORST_COUNT: Final = 10
_CONFUSION_HEAD: Final = """\
## What was said for what

Rows tell what lies there, columns what was said; all dev photographs.
"""
_RELIABILITY_HEAD: Final = """\
## How far the confidence may be believed

Every detection counts, a "?" or one where no die lies as wrong. The expected calibration error
is over 15 bins of as many detections each (Guo et al. 2017; Nguyen and O'Connor 2015); the AUROC is
the chance that a right detection has the higher confidence than a wrong one.
"""
_THRESHOLDS_HEAD: Final = "## Thresholds chosen\n"


@dataclass(frozen=True, slots=True)
class Wording:
    """What the page says of one reader between its tables.

    `title` and `about` begin it; `left_out`, `worst` and `record` are the paragraphs of the
    sections so called.
    """

    title: str
    about: str
    left_out: str
    worst: str
    record: str


DICE: Final = Wording(
    title="How well the dice reader reads",
    about="""\
Scored as `tablescore evaluate` does: found and right are shares of the labelled dice; exact,
silent (wrong without a doubt) and needless (doubted though exact) are shares of the photos.
Written by the training command, from the dev photographs of the sources that were trained on;
these come from the same cameras as the photographs trained on.

All this and every threshold is from x86 processors. onnxruntime reads a little otherwise on ARM, as
on a Raspberry Pi: on 24 photographs of strangers' throws all rolls were the same (emulated
Cortex-A72 and A76), the confidences differed by 0.003 in the mean and by 0.084 at most, and one
throw was asked about on x86 alone; of a photo with 25 dice ARM read all, x86 23 and one as "?".
""",
    left_out="""\
## Sources left out

Each source in turn was left out of the training and then read whole: this tells best how
photographs from a camera that nobody here has are read.
""",
    worst="""\
## The worst photographs

The photographs themselves are not the project's to publish; `python -m vision.train worst` draws
them, with what was seen, on sheets in an ignored folder.
""",
    record="""\
DamianTab's photographs, another photographer's table and dice, were neither trained on nor used
to choose anything. Each reading of them is logged here by `python -m vision.train record`.
""",
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the page tells.

    `rows`: the dev photographs by source, and all together; `left_out_rows`: each source or
    scene as read by a model trained without it; `confusions` and `reliability`: of all dev
    photographs; `thresholds`: those of the card; `worst`: the worst photographs; `notes`:
    further paragraphs below the head.
    """

    rows: Sequence[SourceScore]
    left_out_rows: Sequence[SourceScore]
    confusions: Sequence[Confusion]
    reliability: Reliability
    thresholds: Mapping[str, float]
    worst: Sequence[BadPhoto]
    notes: Sequence[str] = ()
    wording: Wording = DICE


def evaluated(
    scored: Sequence[ScoredSource],
    left_out: Sequence[ScoredSource],
    thresholds: Mapping[str, float],
    notes: Sequence[str] = (),
    wording: Wording = DICE,
) -> Evaluation:
    """Sum up the dev photographs of the sources, at least one, and those of sources left out."""
    every = together(scored)
    return Evaluation(
        rows=[each.row for each in (*scored, every)],
        left_out_rows=[each.row for each in left_out],
        confusions=every.confusions,
        reliability=every.reliability,
        thresholds=thresholds,
        worst=worst_photos(scored, WORST_COUNT),
        notes=notes,
        wording=wording,
    )


def evaluation_page(evaluation: Evaluation, old: Path) -> str:
    """Write the page anew, keeping the old one's log as it stands."""
    wording = evaluation.wording
    sections = [
        f"# {wording.title}\n",
        wording.about,
        *(f"{note}\n" for note in evaluation.notes),
        table(evaluation.rows),
        *_left_out(evaluation.left_out_rows, wording),
        _CONFUSION_HEAD,
        *map(confusion_table, evaluation.confusions),
        _RELIABILITY_HEAD,
        reliability_tables(evaluation.reliability),
        _THRESHOLDS_HEAD,
        _table(("threshold", "value"), evaluation.thresholds.items()),
        wording.worst,
        worst_table(evaluation.worst),
        log(old, wording),
    ]
    return "\n".join(sections)


def table(rows: Sequence[SourceScore]) -> str:
    """Set the scores as a table, one source a line."""
    return _table(_HEADINGS, map(_line, rows))


def _left_out(rows: Sequence[SourceScore], wording: Wording) -> list[str]:
    return [wording.left_out, left_out_table(rows)] if rows else []


def left_out_table(rows: Sequence[SourceScore]) -> str:
    """The same for sources that were left out, and the mean of their shares of right dice."""
    mean = fmean(row.right for row in rows)
    large = fmean(row.right_of_20px for row in rows)
    untimed = (_line(row)[:-_TIMES] for row in rows)  # scored from what was kept of a reading
    return _table(_HEADINGS[:-_TIMES], untimed) + (
        f"\nRight in the mean of the sources: {mean:.1%} of all, {large:.1%} of those of 20 px and"
        " more.\n"
    )


_HEADINGS: Final = (
    *("source", "photos", "pieces", "found", "right", "right of 20 px and more", "false a photo"),
    *("exact", "silent", "needless", "median ms", "p95 ms"),
)
_TIMES: Final = 2  # of the headings, at the end


def _line(row: SourceScore) -> tuple[str, ...]:
    return (
        row.source,
        str(row.photos),
        str(row.pieces),
        f"{row.found:.1%}",
        f"{row.right:.1%}",
        f"{row.right_of_20px:.1%} of {row.pieces_of_20px}",
        f"{row.false_per_photo:.3f}",
        *(f"{share:.1%}" for share in (row.exact, row.silent, row.needless)),
        f"{row.median_milliseconds:.1f}",
        f"{row.p95_milliseconds:.1f}",
    )


def confusion_table(confusion: Confusion) -> str:
    """Set what was said for what as a table, zeros left empty."""
    rows = ((shown, *(count or "" for count in confusion.row(shown))) for shown in confusion.shown)
    return _table(("shown", *confusion.said), rows)


def reliability_tables(reliability: Reliability) -> str:
    """Error and ranking in a sentence, then the bins, then the histogram without empty bars."""
    ranks = "not defined" if reliability.auroc is None else f"{reliability.auroc:.3f}"
    bins = (
        (
            each.readings,
            f"{each.least:.3f} to {each.most:.3f}",
            f"{each.confidence:.3f}",
            f"{each.right:.3f}",
        )
        for each in reliability.bins
    )
    bars = (
        (f"{bar.least:.2f} to {bar.most:.2f}", bar.right, bar.wrong)
        for bar in reliability.bars
        if bar.right or bar.wrong
    )
    return "\n".join(
        [
            f"Expected calibration error {reliability.calibration_error:.4f}, AUROC {ranks}.\n",
            _table(("detections", "confidence", "mean confidence", "share right"), bins),
            _table(("confidence", "right", "wrong"), bars),
        ]
    )


def worst_table(bad: Sequence[BadPhoto]) -> str:
    """Name the worst photographs and what went wrong on each."""
    rows = (
        (
            each.source,
            each.score.file,
            each.score.pieces,
            "nobody" if each.silent else "a person",
            str(each),
        )
        for each in bad
    )
    return _table(("source", "photo", "pieces", "asked", "what went wrong"), rows)


def log(old: Path, wording: Wording = DICE) -> str:
    """The old page's log of readings as it stands, an empty one where there is none."""
    text = old.read_text(encoding="utf-8") if old.is_file() else ""
    return text[text.index(LOG) :] if LOG in text else f"{LOG}\n\n{wording.record}"


def _table(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
