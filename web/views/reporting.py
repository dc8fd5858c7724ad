"""What came of teaching a set, in words that a player understands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scoreboard.phrase import Phrase, phrase
from web.schooling import Confusion, Entry, Lesson, Progress, Report

FEW_PHOTOS: Final = 3  # of a face: with fewer it is read clearly worse
MOST_CONFUSED: Final = 4  # faces named in an advice


def progress(now: Progress) -> Phrase:
    """How far learning is."""
    return phrase("{stage} ({done} of {of})", stage=now.stage, done=now.done, of=now.of)


def standing(entry: Entry) -> Phrase:
    """How it stands with a name on the list."""
    taught = entry.standing
    if taught is None:
        return phrase("Not learned yet.")
    if taught.pieces is None:
        return phrase("Not tested on photographs from another place yet.")
    return phrase(
        "{right} of {pieces} pieces right in its test.",
        right=taught.right or 0,
        pieces=taught.pieces,
    )


def findings(report: Report) -> tuple[Phrase, ...]:
    """What the test showed, a sentence each."""
    return tuple(_findings(report))


def _findings(report: Report) -> Iterator[Phrase]:
    yield _score(report)
    if report.held_back and report.tested < report.faces:
        yield phrase(
            "{tested} of the set’s {faces} faces were on these photographs.",
            tested=report.tested,
            faces=report.faces,
        )
    if report.asked:
        yield phrase(
            "Doubted or not found: {asked}. At the table somebody would be asked.",
            asked=report.asked,
        )
    if report.silent:
        yield phrase("Taken for another piece without any doubt: {silent}.", silent=report.silent)
    yield from map(_confusion, report.confusions)
    yield from _strangers(report)


def _score(report: Report) -> Phrase:
    if not report.pieces:
        return phrase("It could not be tested: each face has one photograph alone.")
    if report.held_back:
        return phrase(
            "Read right on the photographs from another place: {right} of {pieces} pieces.",
            right=report.right,
            pieces=report.pieces,
        )
    return phrase(
        "Read right on its own photographs, one left out in turn: {right} of {pieces} pieces. "
        "That says less than photographs from another place.",
        right=report.right,
        pieces=report.pieces,
    )


def _confusion(one: Confusion) -> Phrase:
    if one.said == "?":
        return phrase("{shown} not recognised: {count}", shown=one.shown, count=one.count)
    return phrase(
        "{shown} taken for {said}: {count}", shown=one.shown, said=one.said, count=one.count
    )


def _strangers(report: Report) -> Iterator[Phrase]:
    if report.strangers:
        yield phrase(
            "Strangers on your photographs refused or asked about: {refused} of {strangers}.",
            refused=report.refused,
            strangers=report.strangers,
        )
    if report.unknown:
        yield phrase(
            "What a stranger would do: pieces whose own face was hidden from it were refused or "
            "asked about, not guessed, {refused} times of {unknown}.",
            refused=report.unknown_refused,
            unknown=report.unknown,
        )


def advice(lesson: Lesson, report: Report) -> tuple[Phrase, ...]:
    """What to do about it, the most helpful first; nothing needs doing where it is trusted."""
    if report.trusted:
        return (phrase("It can be played with: what it reads is proposed, and you confirm it."),)
    return (*_mending(lesson, report), phrase("Until then every reading with it asks first."))


def _mending(lesson: Lesson, report: Report) -> Iterator[Phrase]:
    if not report.held_back:
        yield phrase(
            "Photograph the pieces once more in another place, under another light (step 2), and "
            "learn again: only such a test earns trust."
        )
    elif not report.tests_enough:
        yield phrase("Test at least half of the faces in another place (step 2), and learn again.")
    if report.confusions:
        confused = dict.fromkeys(each.shown for each in report.confusions)
        yield phrase(
            "Photograph {faces} again, each under another light and without glare (step 1), and "
            "learn again.",
            faces=", ".join([*confused][:MOST_CONFUSED]),
        )
    elif any(len(lesson.photos_of(face, "learn")) < FEW_PHOTOS for face in lesson.faces):
        yield phrase(
            "Three photographs of each face, each under another light, are read far better than "
            "one (step 1)."
        )
