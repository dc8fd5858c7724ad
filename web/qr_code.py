"""QR codes for phones to scan, as the pages of table and hub show them."""

from __future__ import annotations

import segno
from markupsafe import Markup


def qr_code(address: str) -> Markup:
    """The address as a QR code in SVG, sized by the page's own style."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(
        omitsize=True, border=2, svgclass="square", lineclass=None, light="#fff", dark="#000"
    )
    # segno draws paths from the address and copies none of its text
    return Markup(drawn)  # noqa: S704
