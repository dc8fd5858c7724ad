"""`python -m tests.golden write FOLDER`, and later `compare FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.golden.readings import write_readings

if __name__ == "__main__":
    write_readings(Path(sys.argv[2]) / "readings")
