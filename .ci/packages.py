"""What Tablescore takes from the system: looked for, fetched where it is missing, or named.

`provide` gives `make test` an environment in which every tool answers; as a script this does the
same for the stages that it is given. The list is packages.toml, beside this file.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

LIST = Path(__file__).with_name("packages.toml")
UNPACKED = Path(__file__).resolve().parents[1] / ".cache" / "system"
NODE = "PLAYWRIGHT_NODEJS_PATH"  # Playwright's own name for the node that it starts
SBIN = "/usr/local/sbin:/usr/sbin:/sbin"  # not on the path of a user without rights
DEB = re.compile(r"^'[^']+' ([a-z0-9][a-z0-9+.-]+)_\S+\.deb ", re.MULTILINE)
TOLD_LINES = 5  # of what a failed command said
FONTS = """\
<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<include ignore_missing="yes">{root}/etc/fonts/fonts.conf</include>
<dir>{root}/usr/share/fonts</dir>
<cachedir>{root}/var/cache/fontconfig</cachedir>
</fontconfig>
"""


class MissingError(Exception):
    """Something is missing and can't be fetched here; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Tool:
    """What is needed, the packages that bring it, and how to see that it is there."""

    stage: str
    purpose: str
    packages: tuple[str, ...]
    answers: tuple[str, ...]
    program: str = ""

    def is_there(self, environment: Mapping[str, str]) -> bool:
        """Whether it starts, and not only lies on the path."""
        return any(output(("sh", "-c", command), environment) for command in self.answers)


def tools(*stages: str) -> list[Tool]:
    """The tools of the stages, in the order of the list."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["tool"]
    known = [
        Tool(**{**each, "packages": tuple(each["packages"]), "answers": tuple(each["answers"])})
        for each in listed
    ]
    return [tool for tool in known if tool.stage in stages]


def packages_of(wanted: Sequence[Tool]) -> list[str]:
    """Their packages, by Debian's names."""
    return [package for tool in wanted for package in tool.packages]


def provide(
    wanted: Sequence[Tool], environment: Mapping[str, str] = os.environ, folder: Path = UNPACKED
) -> dict[str, str]:
    """The environment in which every tool answers; what is missing is fetched.

    With the right to install, by apt; else Debian's packages are unpacked into the folder.
    Raises MissingError if neither brings them.
    """
    found = with_unpacked(environment, folder, wanted)
    missing = [tool for tool in wanted if not tool.is_there(found)]
    if missing:
        print(f"Missing: {', '.join(tool.purpose for tool in missing)}.", flush=True)
    for fetch in (install, unpack):
        if missing:
            fetch(packages_of(missing), environment, folder)
            found = with_unpacked(environment, folder, wanted)
            missing = [tool for tool in missing if not tool.is_there(found)]
    if not missing:
        return found
    raise MissingError(
        f"{' and '.join(tool.purpose for tool in missing)} can't be fetched here."
        f" Install it (on Debian: sudo apt install {' '.join(packages_of(missing))})"
        " and run the same command again."
    )


def with_unpacked(
    environment: Mapping[str, str], folder: Path, wanted: Sequence[Tool]
) -> dict[str, str]:
    """The environment that also knows what was unpacked into the folder, and Playwright's node."""
    root, programs = folder / "root", folder / "bin"
    shutil.rmtree(programs, ignore_errors=True)
    programs.mkdir(parents=True)
    libraries = ":".join(sorted({str(found.parent) for found in root.rglob("*.so*")}))
    started = {Path(tool.program).name: tool.program for tool in wanted if tool.program}
    paths = {
        name: path
        for name, program in started.items()
        for path in (root / program, root / "usr" / program)
        if path.exists()
    }
    playwright = find_spec("playwright")
    if playwright and playwright.origin:
        paths["playwright-node"] = Path(playwright.origin).parent / "driver" / "node"
    for name, path in paths.items():
        wrapper = programs / name
        search = f"LD_LIBRARY_PATH={shlex.quote(libraries)} " if libraries else ""
        wrapper.write_text(f'#!/bin/sh\n{search}exec {shlex.quote(str(path))} "$@"\n')
        wrapper.chmod(0o755)
    found = {**environment, "PATH": f"{programs}:{environment['PATH']}:{SBIN}"}
    if (root / "usr" / "share" / "fonts").is_dir():
        fonts = folder / "fonts.conf"
        fonts.write_text(FONTS.format(root=root), encoding="utf-8")
        found["FONTCONFIG_FILE"] = str(fonts)
    if "playwright-node" in paths:
        found[NODE] = str(programs / "playwright-node")
    return found


def install(packages: Sequence[str], environment: Mapping[str, str], _folder: Path) -> None:
    """Install them with apt, where this user may."""
    if os.geteuid() == 0:
        as_root: tuple[str, ...] = ()
    elif output(("sudo", "-n", "echo", "may"), environment):
        as_root = ("sudo", "-n")
    else:
        return
    print(f"Installing {' '.join(packages)} with apt (up to three minutes) ...", flush=True)
    apt = (*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq")
    succeeds((*apt, "update"), environment)  # somebody's own list may fail, and Debian's be there
    succeeds((*apt, "install", "-y", "--no-install-recommends", *packages), environment)


def unpack(packages: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Fetch them and what they depend on, and unpack them into the folder: that takes no rights."""
    print(
        f"Unpacking {' '.join(packages)} into {folder}, which takes no rights (two minutes) ...",
        flush=True,
    )
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    own = ("-o", f"Dir::State::Lists={lists}", "-o", f"Dir::Cache={lists}")
    with TemporaryDirectory(dir=folder) as debs:
        for options in ((), own):  # the system's lists first: they may be missing or outdated
            apt = ("apt-get", "-qq", *options)
            if options:
                succeeds((*apt, "update"), environment)
            chosen = (*apt, "install", "--print-uris", "--no-install-recommends", *packages)
            names = DEB.findall(output(chosen, environment))
            if names and succeeds((*apt, "download", *names), environment, cwd=debs):
                for deb in sorted(Path(debs).glob("*.deb")):
                    succeeds(("dpkg", "-x", str(deb), str(folder / "root")), environment)
                return


def output(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """What a command prints; nothing if it fails or isn't there."""
    try:
        ended = subprocess.run(
            command, env=environment, check=False, capture_output=True, text=True
        )
    except OSError:
        return ""
    return "" if ended.returncode else ended.stdout


def succeeds(
    command: Sequence[str], environment: Mapping[str, str], cwd: str | None = None
) -> bool:
    """Whether a command ends well; else its last lines are shown."""
    try:
        ended = subprocess.run(
            command,
            env=environment,
            cwd=cwd,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except OSError as error:
        print(f"    {error}", flush=True)
        return False
    if ended.returncode:
        for line in ended.stdout.splitlines()[-TOLD_LINES:]:
            print(f"    {line}", flush=True)
    return ended.returncode == 0


def main() -> int:
    """The exit status: 2 if something is missing and can't be fetched."""
    try:
        provide(tools(*sys.argv[1:]))
    except MissingError as error:
        print(f"tablescore: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
