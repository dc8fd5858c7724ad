"""QR codes for phones to scan, on the pages of table and hub and in a terminal."""

from __future__ import annotations

from io import StringIO

import segno
from markupsafe import Markup


def qr_code(address: str, mask: int | None = None) -> Markup:
    """The address as a QR code in SVG, sized by the page's own style.

    A `mask` (0 to 7) skips the search for the best of the eight, which takes most of the time: for
    pages with thousands of codes.
    """
    code = segno.make(address, error="m", micro=False, mask=mask)
    drawn = code.svg_inline(
        omitsize=True, border=2, svgclass="square", lineclass=None, light="#fff", dark="#000"
    )
    # segno draws paths from the address and copies none of its text
    return Markup(drawn)  # noqa: S704


def qr_text(address: str) -> str:
    """The address as a QR code of half blocks, for a terminal."""
    drawn = StringIO()
    segno.make(address, error="m", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
