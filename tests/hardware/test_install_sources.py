"""What install.sh takes a version from: nobody on the way may have changed it."""

from __future__ import annotations

import hashlib
import shutil
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from getpass import getuser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.hardware.machine import SCRIPT, Machine, output_of, program, version


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine on which nothing is installed."""
    return Machine(tmp_path)


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[str]:
    """Where `python3 -m http.server` offers a wheel and the script."""
    served = tmp_path / "served"
    served.mkdir()
    source = version(tmp_path, "wheel")
    with zipfile.ZipFile(served / "tablescore-0.1.0-py3-none-any.whl", "w") as wheel:
        for path in source.rglob("*"):
            wheel.write(path, path.relative_to(source))
    shutil.copy(SCRIPT, served)
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(served))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_one_line_to_paste_installs_a_wheel_from_another_computer(
    machine: Machine, laptop: str
) -> None:
    """The script comes through a pipe, the wheel by http; a part of the script does nothing."""
    script = output_of(program("curl"), "-fsS", f"{laptop}/install.sh")
    wheel = f"{laptop}/tablescore-0.1.0-py3-none-any.whl"
    content = (machine.folder / "served" / Path(wheel).name).read_bytes()
    given = hashlib.sha256(content).hexdigest()
    options = ("--yes", "--user", getuser(), "--source", wheel, "--sha256", given)
    machine.run(*options, script=script[: len(script) * 9 // 10])
    assert (machine.calls(), list(machine.root.iterdir())) == ([], [])
    done = machine.run(*options, script=script)
    assert done.returncode == 0, done.stderr
    assert machine.current() == "wheel"
    assert f"source='{wheel}'" in (machine.root / "opt/tablescore/choices").read_text()


@pytest.mark.parametrize(
    ("source", "options", "fault"),
    [
        ("LAPTOP/tablescore-0.1.0-py3-none-any.whl", (), "could be changed on its way"),
        ("git://hub.example/tablescore", (), "could be changed on its way"),
        ("http://hub.example/tablescore.git", (), "could be changed on its way"),
        (
            "LAPTOP/tablescore-0.1.0-py3-none-any.whl",
            ("--sha256", "0" * 64),
            "is not the one with that checksum",
        ),
        ("LAPTOP/tablescore-0.1.0-py3-none-any.whl", ("--insecure",), ""),
    ],
)
def test_a_source_that_somebody_on_the_way_could_change_is_refused(
    machine: Machine, laptop: str, source: str, options: tuple[str, ...], fault: str
) -> None:
    """What runs as root comes by https or ssh, by its checksum, or because somebody says so."""
    if source.startswith("LAPTOP"):
        program("curl")
    named = source.replace("LAPTOP", laptop)
    done = machine.run("--yes", "--user", getuser(), "--source", named, *options)
    assert (done.returncode == 0) == (fault == "")
    assert fault in done.stderr


class Repository:
    """A repository whose newest commit may be a tag that a key has signed."""

    def __init__(self, folder: Path) -> None:
        for each in ("git", "ssh-keygen"):
            program(each)
        self.folder, self.keys = version(folder, "repository"), folder
        for each in ("scoreboard", "vision", "web"):
            (self.folder / each / "something").touch()  # git keeps no empty folder
        self._git("init", "--quiet")

    def release(self, name: str, key: str = "") -> None:
        """A new version, signed by the key of that name, which is made where there is none."""
        (self.folder / "models" / "release").write_text(name)
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", name)
        if key:
            file = self.keys / key
            if not file.exists():
                output_of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file))
            self._git("-c", f"user.signingkey={file}.pub", "tag", "--sign", "-m", name, name)

    def _git(self, *arguments: str) -> None:
        settings = {
            "user.name": "A maintainer",
            "user.email": "maintainer@hub.example",
            "gpg.format": "ssh",
        }
        given = (each for name, value in settings.items() for each in ("-c", f"{name}={value}"))
        output_of("git", "-C", str(self.folder), *given, *arguments)


def test_what_was_signed_at_first_stays_signed_by_the_same_key(machine: Machine) -> None:
    """The key of the first install is remembered; another or none is refused."""
    repository = Repository(machine.folder)

    def update(*options: str) -> str:
        named = ("--user", getuser(), "--source", f"file://{repository.folder}")
        done = machine.run("update", "--yes", *named, *options)
        return done.stderr if done.returncode else ""

    repository.release("one", "ours")
    assert update() == ""
    assert "key='SHA256:" in (machine.root / "opt/tablescore/choices").read_text()
    repository.release("two", "ours")
    assert update() == ""
    repository.release("three")
    assert "is not signed by the key of the first time" in update()
    repository.release("four", "theirs")
    assert "is not signed by the key of the first time" in update()
    repository.release("five", "ours")
    assert update() == ""
    repository.release("six", "theirs")
    assert update("--insecure") == ""
    repository.release("seven", "theirs")
    assert update() == ""
