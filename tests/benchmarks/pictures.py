"""Eight devices send large photos to a table: how much memory, and how long do they wait?

The senders are threads of one process on the same machine, each with its own loopback address;
their work is part of the figures.
"""

from __future__ import annotations

import http.client
import json
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.parse import urlencode

import click
import cv2
import numpy as np
from PIL import Image as Pillow

from tests.benchmarks.composing import five_dice
from tests.benchmarks.machine import machine, moment, versions
from tests.web.process import NEW_GAME, RunningProcess, running

SENDERS: Final = 8
HONEST: Final = 10  # photos of the honest device during the flood
FLOOD_CONNECTIONS: Final = 3
FACES: Final = tuple(f"F{number}" for number in range(SENDERS))
PROMISED_MEGABYTES: Final = 600.0
PROMISED_SECONDS: Final = 5.0
PATIENCE_SECONDS: Final = 300.0
STARTED_SECONDS: Final = 30.0
PAUSE_SECONDS: Final = 0.1
BOUNDARY: Final = "photograph"
ORIENTATION: Final = 0x0112
PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "benchmark-pictures.md"

TEMPLATE: Final = """\
# Benchmark: large pictures

{senders} devices send {kinds} photos each to a table, all at the same time, each photo by photo:

{names}

Then each device sends two of them at once to a set that is being taught. The promise: the table's
process never holds more than {megabytes:.0f} MB, and it refuses no photo.

Then one device floods the table with the slowest of these photos, over {connections} connections
that start again as soon as they get an answer, while another device sends {honest} photos of 12
megapixels. The promise: each of those is read and answered within {seconds:.0f} s. Finally the
flood goes to the set that is being taught.

| | |
|---|---|
{table}

Measured {moment}, on {machine},
with {versions}; table and senders on
the same machine, whatever else it had to do. `make benchmark` measures again and rewrites this
page.
"""


@dataclass(frozen=True, slots=True)
class Sent:
    """One answer: its seconds, and whether the photo was accepted."""

    seconds: float
    taken: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Measurements: memory in millions of bytes, and the answers."""

    at_start: float
    peak: float
    at_rest: float
    at_once: tuple[Sent, ...]
    taught: tuple[Sent, ...]
    beside_flood: tuple[Sent, ...]
    flood: tuple[Sent, ...]
    beside_teaching: tuple[Sent, ...]

    @property
    def kept(self) -> bool:
        """Whether every promise was kept."""
        honest = (*self.beside_flood, *self.beside_teaching)
        return (
            self.peak <= PROMISED_MEGABYTES
            and all(one.taken for one in (*self.at_once, *self.taught, *honest))
            and slowest(honest) <= PROMISED_SECONDS
        )


def measure_pictures() -> bool:
    """Measure, write the page, and return whether the promises were kept."""
    photos = photographs()
    with tempfile.TemporaryDirectory() as folder:
        options = ("--camera", "upload", "--database", f"sqlite:///{folder}/games.sqlite3")
        with running(*options, environment={"XDG_DATA_HOME": folder}) as table:
            figures = measure(table, photos)
    text = report(figures, tuple(photos))
    PAGE.write_text(text, encoding="utf-8")
    click.echo(text)
    return figures.kept


def measure(table: RunningProcess, photos: Mapping[str, bytes]) -> Figures:
    """Run eight senders at once, to the table and to a lesson; then an honest one and a flood."""
    begin(table)
    small = next(iter(photos.values()))
    to_table = partial(send_photo, table)
    to_lesson = partial(send_lesson, table)
    wait_for_reader(table, small)
    process = serving(table)
    at_start = memory(process, "VmRSS")
    with ThreadPoolExecutor(SENDERS) as pool:
        each = pool.map(
            lambda device: [to_table(device, one) for one in photos.values()], devices()
        )
        at_once = [sent for sents in each for sent in sents]
        taught = list(
            pool.map(lambda device: to_lesson(device, [*photos.values()][1:3]), devices())
        )
    slow = slowest_photo(table, photos)
    flood: list[Sent] = []
    with flooding(lambda: to_table(1, slow), flood):
        beside_flood = honest(lambda: to_table(0, small))
    with flooding(lambda: to_lesson(1, [slow]), []):
        beside_teaching = honest(lambda: to_table(0, small))
    time.sleep(1)
    return Figures(
        at_start=at_start,
        peak=memory(process, "VmHWM"),
        at_rest=memory(process, "VmRSS"),
        at_once=tuple(at_once),
        taught=tuple(taught),
        beside_flood=tuple(beside_flood),
        flood=tuple(flood),
        beside_teaching=tuple(beside_teaching),
    )


def photographs() -> dict[str, bytes]:
    """Photos of dice as devices send them, by their names on the page; the smallest first."""
    return {
        "JPEG of 12 megapixels, turned": file_of(picture(4032, 3024), "JPEG", exif=turned()),
        "PNG of 24 megapixels": file_of(picture(6000, 4000, noise=1), "PNG", compress_level=1),
        "JPEG of 48 megapixels, turned": file_of(
            picture(8064, 6048), "JPEG", quality=85, exif=turned()
        ),
        "WebP of 24 megapixels": file_of(picture(6000, 4000, noise=0), "WEBP", method=0),
        "progressive JPEG of 40 megapixels": file_of(
            picture(7300, 5475), "JPEG", quality=80, progressive=True, subsampling=0
        ),
    }


def picture(width: int, height: int, noise: int = 5) -> Pillow.Image:
    """Five dice enlarged, with the noise of a sensor."""
    image = cv2.resize(five_dice(1)[0].image, (width, height), interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(1).integers(0, noise + 1, (512, width, 3), np.uint8)
    for top in range(0, height, len(grain)):
        part = image[top : top + len(grain)]
        cv2.add(part, grain[: len(part)], dst=part)
    return Pillow.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))


def file_of(image: Pillow.Image, kind: str, **options: Any) -> bytes:
    """The picture as a file."""
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def turned() -> Pillow.Exif:
    """The file of a phone held upright."""
    exif = Pillow.Exif()
    exif[ORIENTATION] = 6
    return exif


def begin(table: RunningProcess) -> None:
    """Begin a game, and a lesson with one face per sender."""
    table.ask("/setup", NEW_GAME)
    form = [("name", "Deck"), ("preset", "own"), ("faces", " ".join(FACES))]
    posted(table, 0, "/teach", "application/x-www-form-urlencoded", urlencode(form).encode())


def wait_for_reader(table: RunningProcess, photo: bytes) -> None:
    """Send a photo until the table has loaded its reader."""
    deadline = time.monotonic() + STARTED_SECONDS
    while not send_photo(table, 0, photo).taken:
        if time.monotonic() > deadline:
            raise RuntimeError("the table takes no photo")
        time.sleep(PAUSE_SECONDS)


def devices() -> range:
    """The numbers of the senders."""
    return range(SENDERS)


def send_photo(table: RunningProcess, device: int, photo: bytes) -> Sent:
    """Send a photo to the table from a device's own address."""
    begun = time.perf_counter()
    status, text = posted(table, device, "/photo", *multipart({}, [photo]))
    taken = status == http.HTTPStatus.OK and json.loads(text)["verdict"] == "done"
    return Sent(time.perf_counter() - begun, taken)


def send_lesson(table: RunningProcess, device: int, photos: Sequence[bytes]) -> Sent:
    """Send photographs of the device's own face to the set that is being taught."""
    begun = time.perf_counter()
    form = multipart({"faces": FACES[device]}, photos)
    status, _ = posted(table, device, "/teach/Deck/photos", *form)
    return Sent(time.perf_counter() - begun, status == http.HTTPStatus.SEE_OTHER)


def posted(
    table: RunningProcess, device: int, path: str, kind: str, body: bytes
) -> tuple[int, str]:
    """The status and the text of the answer to this device."""
    source = (f"127.0.0.{2 + device}", 0)
    connection = http.client.HTTPConnection(
        "127.0.0.1", table.port, PATIENCE_SECONDS, source_address=source
    )
    headers = {
        "Origin": f"http://127.0.0.1:{table.port}",
        "Cookie": table.cookie,
        "Accept": "application/json",
        "Content-Type": kind,
    }
    with closing(connection):
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def multipart(fields: Mapping[str, str], photos: Sequence[bytes]) -> tuple[str, bytes]:
    """The content type and the body of a form with photos."""
    part = f"--{BOUNDARY}\r\nContent-Disposition: form-data; name="
    body = [f'{part}"{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
    for photo in photos:
        body += [f'{part}"photo"; filename="photo.jpg"\r\n\r\n'.encode(), photo, b"\r\n"]
    body.append(f"--{BOUNDARY}--\r\n".encode())
    return f"multipart/form-data; boundary={BOUNDARY}", b"".join(body)


def slowest_photo(table: RunningProcess, photos: Mapping[str, bytes]) -> bytes:
    """The photo that takes longest while nobody else sends."""
    return max(photos.values(), key=lambda photo: send_photo(table, 0, photo).seconds)


@contextmanager
def flooding(send: Callable[[], Sent], answers: list[Sent]) -> Iterator[None]:
    """One device that sends over several connections without a pause."""
    ended = threading.Event()

    def flood() -> None:
        while not ended.is_set():
            answers.append(send())

    threads = [threading.Thread(target=flood) for _ in range(FLOOD_CONNECTIONS)]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        ended.set()
        for each in threads:
            each.join()


def honest(send: Callable[[], Sent]) -> list[Sent]:
    """Photos one after another, with a pause between them."""
    answers = []
    for _ in range(HONEST):
        time.sleep(PAUSE_SECONDS)
        answers.append(send())
    return answers


def serving(table: RunningProcess) -> int:
    """The id of the process that serves the page: the child of the started one."""
    started = table.process.pid
    told = Path(f"/proc/{started}/task/{started}/children").read_text(encoding="ascii")
    return int(told.split()[0])


def memory(process: int, name: str) -> float:
    """A figure of a process's memory in millions of bytes."""
    told = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB$", told, re.MULTILINE)
    if found is None:
        raise RuntimeError(f"the system does not tell {name}")
    return int(found[1]) * 1024 / 1_000_000


def slowest(answers: Sequence[Sent]) -> float:
    """The seconds of the slowest answer."""
    return max(one.seconds for one in answers)


def report(figures: Figures, names: Sequence[str]) -> str:
    """The page with the figures."""
    beside, teaching = figures.beside_flood, figures.beside_teaching
    rows = [
        ("memory before", f"{figures.at_start:.0f} MB"),
        ("most memory at any time", f"{figures.peak:.0f} MB"),
        ("memory afterwards, the last photo still held", f"{figures.at_rest:.0f} MB"),
        (f"photos of {SENDERS} devices at once that were taken", taken(figures.at_once)),
        ("the slowest of them, with seven others before it", seconds(slowest(figures.at_once))),
        ("forms of photos for the set that were taken", taken(figures.taught)),
        ("a photo during the flood, median", seconds(median(one.seconds for one in beside))),
        ("a photo during the flood, slowest", seconds(slowest(beside))),
        ("photos of the flood that were read meanwhile", taken(figures.flood)),
        ("a photo during a flood to the set, slowest", seconds(slowest(teaching))),
    ]
    return TEMPLATE.format(
        senders=SENDERS,
        kinds=len(names),
        names="\n".join(f"- {name}" for name in names),
        megabytes=PROMISED_MEGABYTES,
        connections=FLOOD_CONNECTIONS,
        honest=HONEST,
        seconds=PROMISED_SECONDS,
        table="\n".join(f"| {what} | {value} |" for what, value in rows),
        moment=moment(),
        machine=machine(),
        versions=versions(),
    )


def taken(answers: Sequence[Sent]) -> str:
    """The number of accepted photos."""
    return f"{sum(one.taken for one in answers)} of {len(answers)}"


def seconds(time_taken: float) -> str:
    """A time as the page shows it."""
    return f"{time_taken:.1f} s"
