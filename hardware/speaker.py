"""The table's own loudspeaker: what is told is spoken by the program espeak-ng."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from scoreboard.message import Message
from scoreboard.table.view import TableView

PROGRAM: Final = "espeak-ng"
LONGEST_SECONDS: Final = 20  # of one sentence: a sound device that hangs silences no more
MISSING: Final = "{program} is not installed; run: sudo apt install espeak-ng"
_LOG: Final = logging.getLogger(__name__)


class Speaker:
    """An Announcer that speaks what is announced, in a thread of its own.

        speaker = Speaker(str, "en")
        speaker.start()
        speaker.announce(view)
        speaker.stop()

    `words` puts a sentence into the `language` that the program shall speak. Of what is announced
    during a sentence only the newest is spoken after it. A fault is logged once, until it works.
    """

    def __init__(
        self, words: Callable[[Message], str], language: str, program: str = PROGRAM
    ) -> None:
        self._words = words
        self._language = language
        self._program = program
        self._told = 0  # the version of what was announced last
        self._next: Message | None = None
        self._fault = ""
        self._changed = Event()
        self._stopping = False
        self._thread = Thread(target=self._work, name="speaker", daemon=True)

    def start(self) -> None:
        """Speak from now on; a missing program is logged at once."""
        if shutil.which(self._program) is None:
            self._note(MISSING.format(program=self._program))
        self._thread.start()

    def stop(self) -> None:
        """Speak no further sentence."""
        self._stopping = True
        self._changed.set()
        self._thread.join(1.0)  # a sentence that is being spoken ends by itself

    def announce(self, view: TableView) -> None:
        """Take what the view tells, if it is new."""
        news = view.announced
        if news is not None and news.version != self._told:
            self._told, self._next = news.version, news.sentence
            self._changed.set()

    def speak(self, text: str) -> str:
        """Speak, and wait until it is spoken; returns what went wrong, empty for nothing."""
        command = [self._program, "-v", self._language, "--stdin"]
        try:
            subprocess.run(  # noqa: S603 -- a fixed program; the text comes by its input
                command,
                input=text.encode(),
                capture_output=True,
                check=True,
                timeout=LONGEST_SECONDS,
            )
        except FileNotFoundError:
            return MISSING.format(program=self._program)
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").strip().splitlines()
            return f"{self._program} fails: {said[-1] if said else error.returncode}"
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{self._program} fails: {error}"
        return ""

    def _work(self) -> None:
        while not self._stopping:
            self._changed.wait()
            self._changed.clear()
            sentence, self._next = self._next, None
            if sentence is not None and not self._stopping:
                self._note(self.speak(self._words(sentence)))

    def _note(self, fault: str) -> None:
        if fault and fault != self._fault:
            _LOG.warning("nothing is spoken: %s", fault)
        self._fault = fault
