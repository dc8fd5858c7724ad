"""The peak memory of a Tablescore command.

`python -m tests.benchmarks.peak read PHOTO` runs the command and finally prints its own peak on
stderr. The kernel's figure for a child (`ru_maxrss`) won't do: it begins with the parent's
memory.
"""

from __future__ import annotations

import atexit
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_PEAK: Final = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_KIBIBYTE: Final = 1024
_MEGABYTE: Final = 1_000_000


def peak_megabytes(*arguments: str) -> float:
    """The peak memory of `tablescore ARGUMENTS` in its own process, in millions of bytes.

    Raises:
        RuntimeError: the command failed.
    """
    command = [sys.executable, "-m", "tests.benchmarks.peak", *arguments]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    found = _PEAK.findall(done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return int(found[-1]) * _KIBIBYTE / _MEGABYTE


def _tell() -> None:
    (peak,) = _PEAK.findall(Path("/proc/self/status").read_text(encoding="ascii"))
    sys.stderr.write(f"VmHWM: {peak} kB\n")


def main() -> None:
    """Run the command named by the arguments."""
    from web.__main__ import main as tablescore  # noqa: PLC0415 -- the parent needs none of it

    atexit.register(_tell)
    tablescore()


if __name__ == "__main__":
    main()
