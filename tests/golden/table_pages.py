"""The pages of a table that runs: every playthrough at several stages, and a game that is played.

Stored games have fixed times. A photograph is read meanwhile: the page is taken once the table's
version stands still.
"""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.golden.commands import ROOT, TABLESCORE, environment
from tests.golden.playthroughs import texts
from tests.golden.readings import DATA
from tests.golden.seams import fill_store
from tests.golden.visitor import Page
from tests.patience import PATIENCE_SECONDS

STILL_SECONDS: Final = 6  # longer than a photograph takes to be read on a busy machine
GLANCE_SECONDS: Final = 0.6  # a press means what was shown a third of a second before it
NO_PICTURE: Final = "No picture has come from the camera yet"
HEAD: Final = frozenset({"game", "players", "option"})
STAGES: Final = 8  # of each playthrough, with its beginning and its end
PHOTO: Final = DATA / "dice" / "DamianTab__DiceDetection" / "images" / "dice01.jpg"
PAGES: Final = (
    "/setup",
    "/games",
    "/games?page=2",
    "/games/duel/delete",
    "/games/duel/erase",
    "/about",
    "/calibrate",
    "/teach",
    "/event/",
    "/abandon",
    "/leave",
    "/no-such-page",
)
ACTS: Final = (
    ("/roll", {"roll": "33516"}),
    ("/die", {"die": "4=2"}),
    ("/press", {"action": "reroll"}),
    ("/roll", {"roll": "33555"}),
    ("/roll", {"roll": "nonsense"}),
    ("/press", {"action": "keep"}),
    ("/choose", {"offer": "score:yahtzee"}),
    ("/press", {"action": "reroll"}),
    ("/choose", {"offer": "score:full-house"}),
    ("/press", {"action": "undo"}),
    ("/choose", {"offer": "score:chance"}),
)


@dataclass
class Browser:
    """A browser without scripts at a table on this machine."""

    port: int
    cookie: str  # as the link of the start text gives it

    def get(self, path: str) -> str:
        return self._asked("GET", path, b"", "")

    def text(self, path: str) -> str:
        """What is read on a page; the table's own port is none of it."""
        return Page(self.get(path)).text.replace(f":{self.port}/", ":PORT/")

    def seen(self) -> str:
        found = re.search(r'name="seen" value="([^"]+)"', self.get("/"))
        return found[1] if found else ""

    def post(self, path: str, fields: Mapping[str, str] | None = None) -> str:
        """Send a form of the table's page; the page that answers, as it is read."""
        return self.post_text(path, urlencode({"seen": self.seen(), **(fields or {})}))

    def post_text(self, path: str, body: str) -> str:
        """Send fields that are written as a form's already."""
        kind = "application/x-www-form-urlencoded"
        return Page(self._asked("POST", path, body.encode(), kind)).text

    def send_photo(self, photo: Path) -> None:
        """Send a photograph, and wait until the table stands still after it."""
        line, before = "golden-line", self.seen()
        head = f'--{line}\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'
        body = head.encode() + photo.read_bytes() + f"\r\n--{line}--\r\n".encode()
        self._asked("POST", "/photo", body, f"multipart/form-data; boundary={line}")
        self.settle(before)

    def settle(self, before: str) -> None:
        """Wait until the version is another than before, and no other for a while."""
        last, since, end = before, time.monotonic(), time.monotonic() + PATIENCE_SECONDS
        while last == before or time.monotonic() - since < STILL_SECONDS:
            if time.monotonic() > end:
                raise TimeoutError(f"The table does not settle after {before}.")
            time.sleep(0.2)
            if (now := self.seen()) != last:
                last, since = now, time.monotonic()

    def await_picture(self) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while NO_PICTURE in self.text("/calibrate"):
            if time.monotonic() > end:
                raise TimeoutError(NO_PICTURE)
            time.sleep(0.2)

    def _asked(self, method: str, path: str, body: bytes, kind: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": kind} if body else {}
        connection.request(method, path, body, headers | {"Cookie": self.cookie})
        answer = connection.getresponse()
        told = answer.read().decode("utf-8", errors="replace")
        connection.close()
        if answer.status == http.client.SEE_OTHER:
            return self._asked("GET", answer.headers["Location"], b"", "")
        return told


@contextmanager
def running_table(database: Path, *options: str) -> Iterator[Browser]:
    """A table on this database in a process of its own, ended when the block ends."""
    url = f"sqlite:///{database}"
    told = environment(XDG_DATA_HOME=str(database.parent))
    command = [*TABLESCORE, "run", "--port", "0", "--database", url, *options]
    with subprocess.Popen(
        command, cwd=ROOT, env=told, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            yield _browser(process)
        finally:
            process.send_signal(signal.SIGTERM)


def _browser(process: subprocess.Popen[str]) -> Browser:
    """The browser in which the link of the start text was opened, which is read to its end."""
    browser = Browser(0, "")
    for line in process.stdout or ():
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/here/(\S+)/", line):
            browser = Browser(int(found[1]), f"device-{found[1]}={found[2]}")
        if line.strip().startswith("stop"):
            return browser
    raise ChildProcessError("The table ended before it listened.")


def write_table_pages(folder: Path, scratch: Path) -> None:
    """The text of every page, each in a file."""
    home = scratch / "table"
    home.mkdir()
    database, games = home / "games.db", texts()
    stages = {f"{name}-{at}": text for name in games for at, text in stages_of(games[name])}
    fill_store(database, stages | games)
    with running_table(database, "--camera", "upload") as browser:
        for game_id in stages:
            told = browser.post(f"/games/{game_id}/resume")
            _write(folder / "stages" / f"{game_id}.txt", told)
        _write_pages(folder / "pages", browser, PAGES)
        names = re.findall(r'value="game:([a-z-]+)"', browser.get("/setup"))
        _write_pages(folder / "pages", browser, [f"/setup?game={name}" for name in names])
        _play(folder / "played", browser)
    with running_table(home / "demo.db") as browser:
        browser.await_picture()
        _write_pages(folder / "demo", browser, ["/about", "/setup", "/calibrate"])


def stages_of(text: str) -> Iterator[tuple[int, str]]:
    """A written game after so many of its acts, as a game of its own."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    head = [line for line in lines if line.split()[0] in HEAD]
    acts = lines[len(head) :]
    for at in sorted({len(acts) * part // STAGES for part in range(STAGES)} | {1, 2, 3}):
        yield at, "".join(f"{line}\n" for line in (*head, *acts[:at]))


def _play(folder: Path, browser: Browser) -> None:
    """A game of Yahtzee with hand-written throws, then with a photograph."""
    opening = {"game": "yahtzee", "option-start": "first", "do": "begin"}
    players = f"name=North&name=South&{urlencode(opening)}"
    _write(folder / "00-setup.txt", browser.post_text("/setup", players))
    for number, (path, fields) in enumerate(ACTS, start=1):
        time.sleep(GLANCE_SECONDS)
        told = browser.post(path, fields)
        _write(folder / f"{number:02}-{path.strip('/')}.txt", told)
    if PHOTO.is_file():
        browser.send_photo(PHOTO)
        _write(folder / "photo.txt", browser.text("/"))
        time.sleep(GLANCE_SECONDS)
        _write(folder / "photo-kept.txt", browser.post("/press", {"action": "keep"}))


def _write_pages(folder: Path, browser: Browser, pages: Iterable[str]) -> None:
    for page in pages:
        name = re.sub(r"[^a-z0-9]+", "-", page).strip("-")
        _write(folder / f"{name}.txt", browser.text(page))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
