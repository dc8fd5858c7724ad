"""Make or complete the project's own environment, as `make` does before whatever needs it.

The environment is built under another name and takes its place when it is whole: whatever ends the
set-up, the one before stays as it was. A digest of the dependencies and their pinned versions says
whether anything is to be done, so an unchanged environment starts without a network.

Runs on the system's Python, before anything is installed, and must be readable by an old one.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OLDEST = (3, 11)  # what Debian 12 has
ROOT = Path(__file__).resolve().parents[1]
# extra -> digest of what is installed for it; "" is the table alone. Another Python finds no stamp.
STAMP = ".ready-{}.{}.json".format(*sys.version_info)
MEGABYTES = {"": 700, "hub": 750, "dev": 1200, "mutants": 1200, "training": 8000}
FULL_MEGABYTES = 60  # with less than this left, the disk is why it failed
UNREACHABLE = re.compile(
    r"name resolution|NewConnectionError|NameResolutionError|Network is unreachable"
    r"|ProxyError|ConnectTimeout|Connection (?:refused|reset|aborted)|Read timed out"
)
COLLECTING = re.compile(r"Collecting ([\w.-]+)")
INSTALLING = re.compile(r"Installing collected packages: (.+)")
TOLD_EVERY = 10  # packages


class SetUpError(Exception):
    """The set-up failed; the message names the cause and the cure."""


def tell(text: str) -> None:
    """Print a line now, whether or not somebody reads it in a terminal."""
    print(text, flush=True)


def check_system() -> None:
    """Raise SetUpError if this machine can't hold the environment."""
    if struct.calcsize("P") != 8:  # noqa: PLR2004  bytes of an address
        raise SetUpError(
            "this is a 32-bit system: Tablescore needs 64-bit Debian or 64-bit Raspberry Pi OS."
        )
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        raise SetUpError(
            "python3-venv is missing: install it with 'sudo apt install python3-venv'."
        )


def is_pi() -> bool:
    """Whether this is a Raspberry Pi. Raises SetUpError if its system is too old for its camera."""
    try:
        model = Path("/proc/device-tree/model").read_text(encoding="utf-8", errors="replace")
        release = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False
    if "Raspberry Pi" not in model:
        return False
    found = re.search(r'^VERSION_ID="?(\d+)', release, re.MULTILINE)
    if not found or int(found[1]) < 13:  # noqa: PLR2004  Debian's number
        raise SetUpError(
            f"this Raspberry Pi OS is built on Debian {found[1] if found else '?'}, whose picamera2"
            " breaks beside numpy 2: install the 64-bit Raspberry Pi OS built on Debian 13."
        )
    return True


def digests(extras: list[str]) -> dict[str, str]:
    """What each extra, and the table itself (""), would be installed from, as a digest."""
    if sys.version_info < OLDEST:
        raise SetUpError(
            f"Python {sys.version.split()[0]} is too old: Tablescore needs Python 3.11 or newer"
            " (Debian 12 or newer has it)."
        )
    import tomllib  # noqa: PLC0415  which an older Python lacks

    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = told["project"]
    shared = [
        list(sys.version_info[:2]),
        (ROOT / "constraints.txt").read_text(encoding="utf-8"),
        *(project.get(key) for key in ("version", "dependencies", "scripts", "requires-python")),
        told["build-system"],
    ]
    optional = project.get("optional-dependencies", {})
    unknown = set(extras) - set(optional)
    if unknown:
        raise SetUpError(f"pyproject.toml has no extra {', '.join(sorted(unknown))}.")
    return {
        extra: hashlib.sha256(json.dumps([shared, optional.get(extra)]).encode()).hexdigest()
        for extra in ("", *extras)
    }


def installed(venv: Path) -> dict[str, str]:
    """What an environment's stamp says; empty where it has none, or can't be run."""
    if not os.access(venv / "bin" / "python", os.X_OK):
        return {}
    try:
        stamp = json.loads((venv / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


@contextmanager
def only_one(venv: Path) -> Iterator[int]:
    """Wait until no other set-up builds this environment; a child that gets the number holds on.

    A set-up that was killed may leave its pip running, which still writes.
    """
    lock = os.open(beside(venv, "lock"), os.O_CREAT | os.O_RDWR, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("Another set-up is running here: waiting for it ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock
    finally:
        os.close(lock)


def beside(venv: Path, name: str) -> Path:
    """A path next to the environment, on the same disk."""
    return venv.with_name(f"{venv.name}.{name}")


def recover(venv: Path) -> None:
    """Finish or take back an exchange that was interrupted, and remove what was half made."""
    new, old = beside(venv, "new"), beside(venv, "old")
    if not venv.exists():
        if installed(new):
            new.rename(venv)
        elif old.exists():
            old.rename(venv)
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)


def exchange(venv: Path) -> None:
    """Put the new environment in the old one's place. `recover` knows each state in between."""
    new, old = beside(venv, "new"), beside(venv, "old")
    os.sync()  # a whole environment takes the place, also after a power cut
    if venv.exists():
        venv.rename(old)
    new.rename(venv)
    shutil.rmtree(old, ignore_errors=True)


def link_or_copy(source: str, target: str) -> None:
    """A hard link costs no room; where the disk has none, a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def begin(new: Path, venv: Path, lock: int, *, sees_system: bool) -> None:
    """Start the new environment: from the old one where that is whole, else from nothing.

    pip replaces files and never writes into them, so the old one's, linked, stay as they are.
    """
    if installed(venv):
        tell("1/3 Copying the environment in use ...")
        shutil.copytree(venv, new, symlinks=True, copy_function=link_or_copy)
        (new / STAMP).unlink()
        return
    tell(f"1/3 Making the environment {venv} (ten seconds) ...")
    options = ["--system-site-packages"] if sees_system else []
    run([sys.executable, "-m", "venv", "--clear", *options, str(new)], beside(venv, "log"), lock)


def run(command: list[str], log: Path, lock: int) -> None:
    """Run a step, telling which packages it is at. Raises SetUpError with what it said at last."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=(lock,),
    )
    count = 0
    try:
        with log.open("w", encoding="utf-8") as file:
            for line in process.stdout or ():
                file.write(line)
                if COLLECTING.match(line):
                    count += 1
                    if count % TOLD_EVERY == 0:
                        tell(f"    {count} packages looked up and fetched ...")
                elif found := INSTALLING.match(line):
                    tell(f"    writing {len(found[1].split(','))} packages ...")
    except BaseException:
        process.terminate()
        raise
    finally:
        process.wait()
    if process.returncode:
        raise SetUpError(why(log))


def why(log: Path) -> str:
    """What stopped a step, from what it said at last; that is printed where it isn't plain."""
    try:
        said = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        said = ""
    free = shutil.disk_usage(log.parent).free >> 20
    if free < FULL_MEGABYTES or "No space left" in said:
        return (
            f"the disk is full ({free} MB left; pip also writes into the folder for temporary"
            " files): make room and run the same command again."
        )
    if UNREACHABLE.search(said):
        return (
            "the packages can't be fetched: check this machine's network and run the same command"
            f" again. What pip said stands in {log}."
        )
    lines = [line for line in said.splitlines() if line.strip() and "WARNING" not in line]
    sys.stderr.write("".join(f"    {line}\n" for line in lines[-15:]))
    return (
        f"the set-up stopped: the lines above and {log} say why. Run the same command again;"
        " 'make clean' before it starts from nothing."
    )


def name_scripts(new: Path, venv: Path) -> None:
    """Let the scripts name the interpreter by the path that it will have."""
    was, now = os.fsencode(f"/{new.name}"), os.fsencode(f"/{venv.name}")
    for script in (new / "bin").iterdir():
        if script.is_symlink() or not script.is_file():
            continue
        content = script.read_bytes()
        if was in content:
            renamed = script.with_name(f"{script.name}.renamed")
            renamed.write_bytes(content.replace(was, now))
            shutil.copymode(script, renamed)
            renamed.replace(script)  # the old environment may hold a link to the same file


def build(venv: Path, wanted: dict[str, str], lock: int) -> None:
    """Build the environment with all that is wanted and put it in its place."""
    check_system()
    sees_system = is_pi()
    if sees_system and importlib.util.find_spec("picamera2") is None:
        tell("No picamera2 yet; for a Pi camera: sudo apt install python3-picamera2 python3-lgpio")
    kept = installed(venv)
    extras = [extra for extra in wanted if extra]
    needed = max(MEGABYTES[extra] for extra in wanted) - (400 if kept else 0)
    free = shutil.disk_usage(venv.parent).free >> 20
    if free < needed:
        raise SetUpError(
            f"the set-up needs about {needed} MB and this disk has {free} MB left: make room and"
            " run the same command again."
        )
    begun = time.monotonic()
    new, log = beside(venv, "new"), beside(venv, "log")
    begin(new, venv, lock, sees_system=sees_system)
    tell("2/3 Installing what Tablescore needs (one to five minutes the first time) ...")
    pip = [str(new / "bin" / "python"), "-m", "pip", "install", "--progress-bar", "off"]
    pip += ["--no-input", "--disable-pip-version-check", "--constraint", "constraints.txt"]
    run([*pip, "--editable", f".[{','.join(extras)}]" if extras else "."], log, lock)
    if "dev" in extras and not sees_system:
        # The tests run picamera2's own code over a stand-in sensor. A Pi has it from apt; elsewhere
        # most of what it asks for (libcamera, encoders, previews) is not to be had, and not needed.
        run([*pip, "--no-deps", "picamera2"], log, lock)
    tell("3/3 Putting it in place ...")
    name_scripts(new, venv)
    still = {extra: digest for extra, digest in kept.items() if extra not in wanted}
    (new / STAMP).write_text(json.dumps({**still, **wanted}), encoding="utf-8")
    exchange(venv)
    log.unlink(missing_ok=True)
    tell(f"Set up in {time.monotonic() - begun:.0f} s.")


def set_up(venv: Path, extras: list[str]) -> None:
    """Make sure that the environment holds what the extras need. Raises SetUpError."""
    wanted = digests(extras)
    if wanted.items() <= installed(venv).items():
        return
    with only_one(venv) as lock:
        recover(venv)
        if wanted.items() <= installed(venv).items():
            return
        try:
            build(venv, wanted, lock)
        finally:
            shutil.rmtree(beside(venv, "new"), ignore_errors=True)


def still_starts(venv: Path) -> bool:
    """Whether the environment in use can start a table, although it isn't the one wanted."""
    command = [str(venv / "bin" / "python"), "-c", "import web.__main__"]
    try:
        return subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def main() -> int:
    """The exit status: 1 if the environment lacks something."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--or-old", action="store_true", help="be content with one that starts")
    parser.add_argument("venv", type=Path, help="where the environment lies")
    parser.add_argument("extras", nargs="*", help="names of pyproject.toml's optional dependencies")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    venv = asked.venv.absolute()
    try:
        set_up(venv, asked.extras)
    except (SetUpError, OSError) as error:
        cause = f"{error}: {why(beside(venv, 'log'))}" if isinstance(error, OSError) else error
        print(f"tablescore: {cause}", file=sys.stderr)
        if asked.or_old and still_starts(venv):
            print("tablescore: starting with what was set up before.", file=sys.stderr)
            return 0
        return 1
    except KeyboardInterrupt:
        print("\ntablescore: interrupted; run the same command to set up again.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
