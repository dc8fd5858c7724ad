"""The small square photo that shows a player."""

from __future__ import annotations

from typing import Final

from vision.capture.photo import encode_small, open_photo

SIDE: Final = 256  # pixels
MOST_BYTES: Final = 30_000
_QUALITIES: Final = (85, 70, 50, 30, 15)


def portrait(photo: bytes) -> bytes:
    """The middle of a photo as a JPEG file of at most 256 x 256 pixels and 30 KB.

    It is upright and carries no metadata: no place, time or camera.

    Raises:
        PhotoError: as for `open_photo`.
    """
    image = open_photo(photo)
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = image[top : top + side, left : left + side]
    encoded = (encode_small(square, SIDE, quality) for quality in _QUALITIES)
    return next(jpeg for jpeg in encoded if len(jpeg) <= MOST_BYTES)
