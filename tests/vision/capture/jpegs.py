"""JPEG files that are built up in as many steps as a test wants."""

from __future__ import annotations

from io import BytesIO

from PIL import Image as Pillow

START_OF_SCAN = b"\xff\xda"
END = b"\xff\xd9"


def many_scans(picture: Pillow.Image, scans: int) -> bytes:
    """The picture as a progressive JPEG, whose last scan stands there until it has so many.

    A scan refines what those before it left; one without its data changes nothing, in 14 bytes
    or so, and libjpeg goes over the whole picture for each.
    """
    file = BytesIO()
    picture.convert("L").save(file, "JPEG", progressive=True)
    whole = file.getvalue().removesuffix(END)
    head = whole[whole.rindex(START_OF_SCAN) :][:10]
    return whole + (head + bytes(4)) * (scans - whole.count(START_OF_SCAN)) + END
