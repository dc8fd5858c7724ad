"""The longest wait of a test: long, because a loaded machine is slow and that is no fault.

Only a failing test waits this long.
"""

from __future__ import annotations

from typing import Final

PATIENCE_SECONDS: Final = 120.0
PATIENCE_MILLISECONDS: Final = 1000 * PATIENCE_SECONDS
