"""How long a test waits for what must come: a loaded machine is slow, and no fault of the code.

Only a test that fails waits so long.
"""

from __future__ import annotations

from typing import Final

PATIENCE_SECONDS: Final = 120.0
PATIENCE_MILLISECONDS: Final = 1000 * PATIENCE_SECONDS
