"""What came of teaching a set, in words that a player understands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scoreboard.message import Message, message
from web.table.lesson_api import Confusion, Entry, Lesson, Progress, Report

FEW_PHOTOS: Final = 3  # of a face: with fewer it is read clearly worse
MOST_CONFUSED: Final = 4  # faces named in an advice


def progress(now: Progress) -> Message:
    """How far learning is."""
    return message("{stage} ({done} of {of})", stage=now.stage, done=now.done, of=now.of)


def standing(entry: Entry) -> Message:
    """How it stands with a name on the list."""
    taught = entry.standing
    if taught is None:
        return message("Not learned yet.")
    if taught.pieces is None:
        return message("Not tested on photographs from another place yet.")
    return message(
        "{right} of {pieces} pieces right in its test.",
        right=taught.right or 0,
        pieces=taught.pieces,
    )


def findings(report: Report) -> tuple[Message, ...]:
    """What the test showed, a sentence each."""
    return tuple(_findings(report))


def _findings(report: Report) -> Iterator[Message]:
    yield _score(report)
    if report.held_back and report.tested < report.faces:
        yield message(
            "{tested} of the set’s {faces} faces were on these photographs.",
            tested=report.tested,
            faces=report.faces,
        )
    if report.asked:
        yield message(
            "Doubted or not found: {asked}. At the table somebody would be asked.",
            asked=report.asked,
        )
    if report.silent:
        yield message("Taken for another piece without any doubt: {silent}.", silent=report.silent)
    yield from map(_confusion, report.confusions)
    yield from _strangers(report)


def _score(report: Report) -> Message:
    if not report.pieces:
        return message("It could not be tested: each face has one photograph alone.")
    if report.held_back:
        return message(
            "Read right on the photographs from another place: {right} of {pieces} pieces.",
            right=report.right,
            pieces=report.pieces,
        )
    return message(
        "Read right on its own photographs, one left out in turn: {right} of {pieces} pieces. "
        "That says less than photographs from another place.",
        right=report.right,
        pieces=report.pieces,
    )


def _confusion(one: Confusion) -> Message:
    if one.said == "?":
        return message("{shown} not recognised: {count}", shown=one.shown, count=one.count)
    return message(
        "{shown} taken for {said}: {count}", shown=one.shown, said=one.said, count=one.count
    )


def _strangers(report: Report) -> Iterator[Message]:
    if report.strangers:
        yield message(
            "Strangers on your photographs refused or asked about: {refused} of {strangers}.",
            refused=report.refused,
            strangers=report.strangers,
        )
    if report.unknown:
        yield message(
            "What a stranger would do: pieces whose own face was hidden from it were refused or "
            "asked about, not guessed, {refused} times of {unknown}.",
            refused=report.unknown_refused,
            unknown=report.unknown,
        )


def advice(lesson: Lesson, report: Report) -> tuple[Message, ...]:
    """What to do about it, the most helpful first; nothing needs doing where it is trusted."""
    if report.trusted:
        return (message("It can be played with: what it reads is proposed, and you confirm it."),)
    return (*_mending(lesson, report), message("Until then every reading with it asks first."))


def _mending(lesson: Lesson, report: Report) -> Iterator[Message]:
    if not report.held_back:
        yield message(
            "Photograph the pieces once more in another place, under another light (step 2), and "
            "learn again: only such a test earns trust."
        )
    elif not report.tests_enough:
        yield message("Test at least half of the faces in another place (step 2), and learn again.")
    if report.confusions:
        confused = dict.fromkeys(each.shown for each in report.confusions)
        yield message(
            "Photograph {faces} again, each under another light and without glare (step 1), and "
            "learn again.",
            faces=", ".join([*confused][:MOST_CONFUSED]),
        )
    elif any(len(lesson.photos_of(face, "learn")) < FEW_PHOTOS for face in lesson.faces):
        yield message(
            "Three photographs of each face, each under another light, are read far better than "
            "one (step 1)."
        )
