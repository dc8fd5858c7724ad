"""A `read`, a `run` and a `hub` in a home of their own, each watched by strace from outside.

`python -m tests.network.alone FOLDER` plays a turn at the demo's table and looks at the hub. The
programs have an environment without any of the variables that tell a library it is being tested.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import ssl
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.patience import PATIENCE_SECONDS
from tests.web.process import ROOT, RunningProcess, document

HOME: Final = "home"
TEMPORARY: Final = "tmp"
DATA: Final = Path(HOME, ".local", "share", "tablescore")
TRACED: Final = "connect,sendto,sendmsg,sendmmsg,open,openat,creat,mkdir,mkdirat"
PHOTO: Final = "hardware/cameras/demo_evening/turn00/throw0/06.webp"
SET_FLAGS: Final = 0x8914  # SIOCSIFFLAGS, see netdevice(7)
UP: Final = 1  # IFF_UP
WATCHED_SECONDS: Final = 20.0  # onnxruntime's first report is sent 9 s after the start


def watched(folder: Path, name: str) -> tuple[str, ...]:
    """What stands before a command so that strace writes down its calls into `name`.strace."""
    environment = {
        "HOME": str(folder / HOME),
        "TMPDIR": str(folder / TEMPORARY),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    given = (f"{key}={value}" for key, value in environment.items())
    note = str(folder / f"{name}.strace")
    # -y: with the paths of folders that calls name by a descriptor
    traced = ("-f", "--seccomp-bpf", "-qq", "-y", "-e", f"trace={TRACED}")
    return ("env", "-i", *given, "strace", *traced, "-o", note)


def raise_loopback() -> None:
    """In a new network namespace it is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh", b"lo", UP))


def read(folder: Path) -> None:
    """Read a photo of dice."""
    command = [*watched(folder, "read"), sys.executable, "-m", "web", "read", PHOTO]
    subprocess.run(command, cwd=ROOT, check=True, timeout=PATIENCE_SECONDS)


def play_a_turn(folder: Path) -> None:
    """Press KEEP at the demo's table until its second player is to throw, and stay a while.

    Over https, so that the library that makes certificates is watched too; meanwhile a photo is
    read, and a hub looked at.
    """
    table = RunningProcess("--https", under=watched(folder, "run"))
    try:
        table.wait_until_listening()
        authority = table.ask("/certificate/tablescore.crt").body
        table.trusted = ssl.create_default_context(cadata=authority)
        begun = time.monotonic()
        while 'class="whose">South<' not in table.ask("/").body:
            assert time.monotonic() - begun < PATIENCE_SECONDS, table.ask("/").body
            document(table.ask("/press", [("action", "keep"), ("seen", table.seen())]))
            time.sleep(0.2)
        read(folder)
        look_at_a_hub(folder)
        time.sleep(max(0.0, begun + WATCHED_SECONDS - time.monotonic()))
    finally:
        stop(table)


def look_at_a_hub(folder: Path) -> None:
    """Ask a hub for its first page."""
    hub = RunningProcess(command="hub", under=watched(folder, "hub"))
    try:
        hub.wait_until_listening()
        assert hub.ask("/").status == 200
    finally:
        stop(hub)


def stop(process: RunningProcess) -> None:
    """End it as somebody who is done for the day would."""
    os.killpg(process.process.pid, signal.SIGTERM)
    process.process.wait(PATIENCE_SECONDS)
    sys.stderr.write(process.end())


def main() -> None:
    """Do all three in FOLDER; `--namespace` is told where the network is a new one."""
    folder = Path(sys.argv[1])
    if "--namespace" in sys.argv:
        raise_loopback()
    (folder / HOME).mkdir()
    (folder / TEMPORARY).mkdir()
    play_a_turn(folder)


if __name__ == "__main__":
    main()
