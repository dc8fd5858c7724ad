"""What was measured, told on a page."""

from __future__ import annotations

import numpy as np

from vision.learn.taught_reader import judge
from vision.train.rendering.decks.measurement import Measured, Tally, page

FACES = ("R1", "B1")


def test_a_tally_counts_right_sure_silent_refused_and_missed() -> None:
    """A stranger is right to refuse, and never right to name."""
    tally = Tally()
    sure = judge(FACES, np.array([1, 9], np.float32))
    doubtful = judge(FACES, np.array([1, 1.1], np.float32))
    strange = judge(FACES, np.array([9, 30], np.float32))
    for face, verdict in (
        *(("R1", each) for each in (sure, doubtful, strange, None)),
        ("B1", sure),
        (None, sure),
        (None, strange),
    ):
        tally.add(face, verdict)
    assert tally == Tally(pieces=7, right=2, sure=1, silent=2, refused=2, missed=1)


def test_the_page_tells_tuned_sets_from_fresh_ones() -> None:
    """Shares are told to a tenth of a per cent; fewer photographs stand in a table of their own."""
    own = Tally(pieces=200, right=199, sure=190, refused=1)
    others = Tally(pieces=400, refused=398, missed=2)
    measured = [
        Measured("framed", 3, 0, own, others, Tally(pieces=25, refused=20, silent=5)),
        Measured("framed", 1, 0, own, Tally(), Tally()),
    ]
    text = page(["framed"], measured)
    assert "| framed (tuned on) | 3 | 200 | 99.5% | 95.0% | 0 | 1 | 0 | 0 |" in text
    assert "| framed | 400 | 100.0% | 0 | 25 | 80.0% |" in text
    assert text.index("## Fewer photographs") > text.index("## Strangers")
