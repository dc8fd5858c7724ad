"""The table's own loudspeaker: espeak-ng speaks the announcements."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from scoreboard.message import Message
from scoreboard.table.view import TableView
from scoreboard.worker import Worker

LONGEST_SECONDS: Final = 20  # of one sentence: a sound device that hangs silences no more
_LOG: Final = logging.getLogger(__name__)


class Speaker(Worker):
    """An Announcer that speaks announcements, in a thread of its own.

        speaker = Speaker(str, "en")
        speaker.start()
        speaker.announce(view)
        speaker.stop()

    `words` puts a sentence into the `language` that the program speaks. Announcements during a
    sentence replace each other; the newest is spoken after it. A fault is logged once.
    """

    def __init__(
        self, words: Callable[[Message], str], language: str, program: str = "espeak-ng"
    ) -> None:
        super().__init__("speaker", self._work, wake=lambda: self._waiting.put(None))
        self._words = words
        self._language = language
        self._program = program
        self._told = 0  # the version of the last announcement
        self._waiting: SimpleQueue[Message | None] = SimpleQueue()
        self._fault = ""

    def announce(self, view: TableView) -> None:
        """Queue the view's announcement, if it is new."""
        if view.announced is not None and view.announced.version != self._told:
            self._told = view.announced.version
            self._waiting.put(view.announced.sentence)

    def speak(self, text: str) -> str:
        """Speak, and wait until it is spoken; returns the fault, empty for none."""
        command = [self._program, "-v", self._language, "--stdin"]
        try:
            ended = subprocess.run(  # noqa: S603 -- a fixed program; the text comes by its input
                command,
                input=text.encode(),
                capture_output=True,
                timeout=LONGEST_SECONDS,
                check=False,
            )
        except FileNotFoundError:
            return f"{self._program} is not installed; run: sudo apt install espeak-ng"
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{self._program} fails: {error}"
        why = ended.stderr.decode(errors="replace").strip() or f"exit status {ended.returncode}"
        return f"{self._program} fails: {why}" if ended.returncode else ""

    def _work(self) -> None:
        sentence = self._waiting.get()
        if sentence is None or not self._waiting.empty():
            return  # the end, or something newer
        before, self._fault = self._fault, self.speak(self._words(sentence))
        if self._fault not in {"", before}:
            _LOG.warning("nothing is spoken: %s", self._fault)
