"""Training jobs without photographs: they keep what is entered, and learn when the test says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import IO

from scoreboard.message import Message, message
from web.table.sets.lessons import Entry, Lesson, LessonPhoto, Progress, Step, Trial
from web.table.sets.training_jobs import TrainingJobs

NOTHING_FOUND = message("No piece was found.")


@dataclass
class FakeJobs(TrainingJobs):
    """Finds in a photograph as many pieces as it has bytes; no picture in one that says so."""

    lessons: dict[str, Lesson] = field(default_factory=dict)
    listed: tuple[Entry, ...] = ()
    now: Progress | None = None
    refusal: Message | None = None
    deleted: list[str] = field(default_factory=list)
    learned: list[str] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    tried: list[bytes] = field(default_factory=list)
    last_trial: Trial | None = None
    playing: list[tuple[str, bool]] = field(default_factory=list)

    def entries(self) -> tuple[Entry, ...]:
        return self.listed or tuple(Entry(each.name, None, each) for each in self.lessons.values())

    def begin(self, name: str, faces: Sequence[str], *, solid: bool = False) -> Message | None:
        if self.refusal is None:
            self.lessons[name] = Lesson(name, tuple(faces), solid=solid)
        return self.refusal

    def lesson(self, name: str) -> Lesson | None:
        return self.lessons.get(name)

    def add(
        self, name: str, step: Step, faces: Sequence[str], photos: Sequence[IO[bytes]], sender: str
    ) -> tuple[Message, ...]:
        self.senders.append(sender)
        faults = []
        for photo in (each.read() for each in photos):
            if photo == b"no picture":
                faults.append(message("The file is no picture."))
                continue
            lesson, found = self.lessons[name], len(photo)
            problem = None if found == len(faces) else NOTHING_FOUND
            number = lesson.taken + 1
            taken = LessonPhoto(number, step, tuple(faces), 0 if problem else found, problem)
            self.lessons[name] = lesson.with_photo(taken)
        return tuple(faults)

    def accept(self, name: str, number: int) -> None:
        self.lessons[name] = self.lessons[name].accepting(number)

    def drop(self, name: str, *numbers: int) -> None:
        self.lessons[name] = self.lessons[name].without(numbers)

    def photo(self, name: str, number: int) -> bytes | None:
        return b"photo" if (name, number) == ("Deck", 1) else None

    def piece(self, name: str, number: int, at: int) -> bytes | None:
        return b"piece" if (name, number, at) == ("Deck", 1, 0) else None

    def face(self, name: str, at: int) -> bytes | None:
        return b"face" if (name, at) == ("Deck", 0) else None

    def learn(self, name: str) -> Message | None:
        if self.refusal is None:
            self.learned.append(name)
        return self.refusal

    def progress(self, name: str) -> Progress | None:
        return self.now if name in self.lessons else None

    def try_out(self, name: str, picture: IO[bytes], sender: str) -> Message | None:
        self.senders.append(sender)
        if self.refusal is None and name in self.lessons:
            self.tried.append(picture.read())
        return self.refusal

    def trial(self, name: str) -> Trial | None:
        return self.last_trial if name in self.lessons else None

    def trial_picture(self, name: str) -> bytes | None:
        return b"trial" if name == "Deck" else None

    def play(self, name: str, *, wanted: bool) -> Message | None:
        if self.refusal is None:
            self.playing.append((name, wanted))
        return self.refusal

    def delete(self, name: str) -> Message | None:
        if self.refusal is None:
            self.deleted.append(name)
            self.lessons.pop(name, None)
        return self.refusal

    def reported(self, name: str, lesson: Lesson) -> None:
        self.lessons[name] = replace(lesson, name=name)
