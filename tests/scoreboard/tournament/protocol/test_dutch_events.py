"""Dutch pairings beside those of another program, which read the exported file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scoreboard.tournament.protocol.dutch_events import EVENTS, compare, digest, rounds_of

RECORDED = Path(__file__).with_name("dutch_events.txt").read_text(encoding="ascii").splitlines()
FEW = range(0, EVENTS, 20)


@pytest.mark.parametrize("seeds", [FEW, pytest.param(range(EVENTS), marks=pytest.mark.slow)])
def test_events_are_paired_as_the_other_program_was_recorded_to(seeds: range) -> None:
    for seed in seeds:
        rounds = [each.pairs for each in rounds_of(seed) if not each.meets_again]
        assert RECORDED[seed] == f"{seed} {len(rounds)} {digest(rounds)}"


def test_events_are_paired_as_the_other_program_does() -> None:
    pytest.importorskip("py4swiss", reason="without py4swiss only what it was recorded to pair")
    assert [compare(seed) for seed in FEW] == [RECORDED[seed] for seed in FEW]
