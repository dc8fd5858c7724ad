"""The machine and versions of a measurement."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

_PROCESSOR: Final = re.compile(r"^(?:model name|Model)\s*:\s*(.+)$", re.MULTILINE)
_BYTE_UNITS: Final = ("avx512_vnni", "avx_vnni", "asimddp")
_LIBRARIES: Final = ("onnxruntime", "opencv-python-headless", "numpy")


def machine() -> str:
    """The processor, its cores, and whether it has instructions for dot products of bytes."""
    file = Path("/proc/cpuinfo")
    told = file.read_text(encoding="utf-8") if file.exists() else ""
    found = _PROCESSOR.search(told)
    name = found[1] if found else platform.processor() or "an unnamed processor"
    units = [unit for unit in _BYTE_UNITS if unit in told.split()]
    return f"{name} ({platform.machine()}, {os.cpu_count()} cores, {', '.join(units) or 'no VNNI'})"


def versions() -> str:
    """Python and the libraries that do the work."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return f"Python {platform.python_version()}, {libraries}"


def moment() -> str:
    """Today's date and the machine's load now."""
    loads = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"{datetime.now(UTC):%Y-%m-%d}, load averages {loads}"
