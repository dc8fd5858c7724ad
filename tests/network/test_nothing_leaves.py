"""Nothing leaves the machine, and nothing is written but into the data folder.

Every program is watched by strace: what a library does by itself is seen whichever library it is
(docs/decisions/0023-nothing-leaves.md).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import pytest

from tests.network.alone import DATA, HOME, TEMPORARY
from tests.web.process import ROOT

NAMESPACES: Final = (("unshare", "--net"), ("unshare", "--map-root-user", "--net"))
PROGRAMS: Final = ("read", "run", "hub")
PATIENCE_SECONDS: Final = 300
REACHED: Final = re.compile(
    r'sin6?_port=htons\((?P<port>\d+)\).*?inet_(?:addr\(|pton\(AF_INET6, )"(?P<address>[^"]+)"'
)
RESOLVER: Final = re.compile(r'sun_path="[^"]*resolve')
MADE: Final = re.compile(
    r'(?:mkdir(?:at\((?P<at>[^,]+), |\()|creat\(|open\(|openat\((?P<base>[^,]+), )"(?P<path>[^"]+)"'
)
MAKING: Final = re.compile(r"mkdir|creat\(|O_CREAT")
LOOKUP_PORTS: Final = frozenset({53, 853, 5353, 5355})
MEMORY: Final = ("/dev/", "/proc/")


def can(*command: str) -> bool:
    """Whether the command is there and allowed."""
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def reached(calls: Iterable[str]) -> Iterator[str]:
    """The calls that look a name up or speak to anything but this machine."""
    for call in calls:
        found = REACHED.search(call)
        if RESOLVER.search(call) or (
            found
            and (int(found["port"]) in LOOKUP_PORTS or not ip_address(found["address"]).is_loopback)
        ):
            yield call


def made(calls: Iterable[str], folder: Path) -> Iterator[str]:
    """The calls that would make a file or a folder outside that one."""
    for call in calls:
        found = MADE.search(call) if MAKING.search(call) else None
        if found:
            base = re.sub(r"^[^<]*<(.*)>$", r"\1", found["base"] or found["at"] or "")
            path = Path(base, found["path"])
            if not path.is_relative_to(folder) and not str(path).startswith(MEMORY):
                yield call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a photo was read, a turn was played and a hub was asked, and what strace wrote down."""
    folder = tmp_path_factory.mktemp("alone")
    raised = ("ip", "link", "set", "lo", "up")  # some systems give a namespace without rights in it
    apart = next((each for each in NAMESPACES if can(*each, *raised)), ())
    ended = subprocess.run(
        [
            *(*apart, sys.executable, "-m", "tests.network.alone", str(folder)),
            *(["--namespace"] if apart else []),
        ],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


def calls_of(folder: Path, program: str) -> list[str]:
    """What strace wrote down, which must be something: loopback at least, or a file."""
    calls = (folder / f"{program}.strace").read_text(errors="replace").splitlines()
    assert any("openat" in call for call in calls)
    return calls


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_leaves_the_machine(folder: Path, program: str) -> None:
    """No name is looked up, and nothing beyond loopback is spoken to."""
    assert list(reached(calls_of(folder, program))) == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_made_elsewhere(folder: Path, program: str) -> None:
    """Files and folders are made in the home and the folder for passing ones that it was given."""
    assert list(made(calls_of(folder, program), folder)) == []


def test_only_the_data_folder_is_left(folder: Path) -> None:
    """Of all that was made there, what stays lies in the data folder."""
    left = [
        file.relative_to(folder)
        for place in (HOME, TEMPORARY)
        for file in (folder / place).rglob("*")
        if not file.is_dir()
    ]
    assert [file for file in left if not file.is_relative_to(DATA)] == []
    assert left, "the games are there"


@pytest.mark.parametrize(
    "call",
    [
        'connect(5, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16)',
        'connect(5, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16',
        'sendto(5, "", 0, 0, {sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)',
        'connect(5, {sa_family=AF_UNIX, sun_path="/run/systemd/resolve/io.systemd.Resolve"}, 42)',
    ],
)
def test_what_leaves_is_recognised(call: str) -> None:
    """As strace writes it: a look-up, also at this machine's own resolver, and a connection."""
    assert list(reached([call])) == [call]


@pytest.mark.parametrize(
    "call",
    [
        '7 openat(AT_FDCWD</srv>, ".note", O_RDWR|O_CREAT, 0666) = 3</srv/.note>',
        '7 openat(AT_FDCWD</work>, "/root/.cache/id", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3',
        '7 mkdir("/root/.cache", 0777) = -1 EEXIST (File exists)',
        '7 mkdirat(4</root>, ".cache", 0777 <unfinished ...>',
    ],
)
def test_what_is_made_elsewhere_is_recognised(call: str, tmp_path: Path) -> None:
    """By its whole path, or from a folder by a descriptor."""
    assert list(made([call], tmp_path)) == [call]
