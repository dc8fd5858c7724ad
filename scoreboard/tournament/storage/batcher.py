"""Group commit: simultaneous requests are done together, with one wait for the disk."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Final, Generic, TypeVar

MOST_AT_ONCE: Final = 100
AskT = TypeVar("AskT")
AnswerT = TypeVar("AnswerT")
Answers = Sequence[AnswerT | Exception]


@dataclass(slots=True, eq=False)
class _Asked(Generic[AskT, AnswerT]):
    """A request that waits for its answer, or for its turn to lead."""

    ask: AskT
    answer: AnswerT | Exception | None = None
    alone: bool = False
    woken: Event = field(default_factory=Event)


class Batcher(Generic[AskT, AnswerT]):
    """Does all requests that came while it was busy in one go. Thread-safe.

    `work` is given some requests, no two of the same `key`, and answers each, a refused one by an
    exception. If it fails as a whole each is tried once more alone, so that a bad one keeps no
    other from being done. Before each go `rest` may wait, so that more come together.
    """

    def __init__(
        self,
        work: Callable[[Sequence[AskT]], Answers[AnswerT]],
        key: Callable[[AskT], Hashable],
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        self._work = work
        self._key = key
        self._rest = rest
        self._lock = Lock()
        self._waiting: list[_Asked[AskT, AnswerT]] = []
        self._busy = False

    def ask(self, ask: AskT) -> AnswerT:
        """Have it done, and wait for that. Raises the exception of the work."""
        asked: _Asked[AskT, AnswerT] = _Asked(ask)
        with self._lock:
            self._waiting.append(asked)
            leads, self._busy = not self._busy, True
        if not leads:
            asked.woken.wait()
        if asked.answer is None and not asked.alone:
            self._lead()
        answer = self._work([ask])[0] if asked.alone else asked.answer
        if isinstance(answer, Exception):
            raise answer
        assert answer is not None  # noqa: S101 -- the one woken was answered, or has led
        return answer

    def _lead(self) -> None:
        """Work for all that wait, the leader's first; then let another one lead."""
        self._rest()
        firsts: dict[Hashable, _Asked[AskT, AnswerT]] = {}
        with self._lock:
            for each in self._waiting[:MOST_AT_ONCE]:
                firsts.setdefault(self._key(each.ask), each)
            gathered = dict.fromkeys(firsts.values())  # in their order
            self._waiting = [each for each in self._waiting if each not in gathered]
        try:
            answers = self._work([each.ask for each in gathered])
        except Exception:  # noqa: BLE001 -- each is tried alone, and then raised
            for each in gathered:
                each.alone = True
        else:
            for each, answer in zip(gathered, answers, strict=True):
                each.answer = answer
        finally:
            with self._lock:
                self._busy = bool(self._waiting)
                if self._waiting:
                    self._waiting[0].woken.set()
            for each in gathered:
                each.woken.set()
