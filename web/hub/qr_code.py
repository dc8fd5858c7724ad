"""An address as a square that a phone reads (QR), drawn into the page itself."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """The address as SVG without a style of its own; the page's style sizes it."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(
        omitsize=True, border=2, svgclass="square", lineclass=None, light="#fff", dark="#000"
    )
    # segno wrote it from the address alone, and what it writes holds no text of it
    return Markup(drawn)  # noqa: S704
