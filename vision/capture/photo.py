"""Photographs and clips from files, decoded upright, and pictures to keep as JPEG."""

from __future__ import annotations

import math
import os
import re
import stat
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import count, product
from pathlib import Path
from threading import Lock
from typing import IO, Final, Self

import cv2
import numpy as np
from cv2.utils import logging
from PIL import Image as Pillow
from PIL.JpegImagePlugin import JpegImageFile

from scoreboard.message import Message, message
from vision.capture.frame import Frame, Image
from vision.errors import ClipError, PhotoError

MOST_JPEG_PIXELS: Final = 50_000_000
MOST_PIXELS: Final = 24_000_000  # of the other kinds; a larger JPEG is decoded at half its size
MOST_BYTES: Final = 4 * MOST_PIXELS  # decoded
_MOST_COEFFICIENTS: Final = 120_000_000  # a progressive JPEG's are all held, 2 bytes each
_MOST_SCANS: Final = 64  # of a JPEG; cameras and programs make ten at most
_MOST_SEGMENTS: Final = 4096
# What libjpeg takes for a segment anywhere: not a stuffed zero, a restart, a lone marker
_SEGMENT: Final = re.compile(rb"\xff([\x02-\xcf\xd9-\xfe])")
_END_OF_IMAGE, _START_OF_SCAN = b"\xd9", b"\xda"
MOST_FRAME_PIXELS: Final = 4_000_000  # of those that come eight times a second
LONGEST_SIDE: Final = 16_384
READ_SIDE: Final = 1600  # pixels: a longer side that shows a reader all that it uses
GLANCE_SIDE: Final = 192  # and one that shows whether anything moves
_MOST_SHRINKING: Final = 8  # libjpeg does no more while it decodes
MOST_RATIO: Final = 100
# TIFF is left out: libtiff writes what it finds wrong to stderr, past us and by the hundred lines.
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP", "GIF")
_SIGNATURES: Final = (b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"BM", b"GIF8")
_BYTES_OF_MODES: Final = {"I;16": 2, "I": 4, "F": 4}  # a band; the others have one byte
_HEIC_BRANDS: Final = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
)
_ORIENTATION: Final = 0x0112
_STRIP_ROWS: Final = 256
_CODE_SCALES: Final = (1.0, 0.5, 1.5)  # blurred modules are found smaller, small ones larger
_BACKGROUND: Final = (255, 255, 255, 255)

_CUT_SHORT: Final = message("The picture is cut short or damaged; copy it again.")

Strips = Callable[[int, int], Pillow.Image]  # the rows from one up to another, as stored

# Pillow warns through the process-wide filter list, which is not safe for threads to change;
# and one large picture at a time is also what a small machine's memory allows.
_ONE_AT_A_TIME: Final = Lock()


def open_photo(source: Path | str | bytes, most_pixels: int = MOST_JPEG_PIXELS) -> Image:
    """Decode a photograph, turned upright by its EXIF data; H x W x 3, blue-green-red.

    Colour profiles are ignored, transparency becomes white, 16 bits become 8. A photo with more
    than `most_pixels` is refused; a JPEG of more than MOST_PIXELS is decoded at half width and
    height. Decoding takes 300 MB at most.

    Raises PhotoError: the file is missing, empty, a folder, no picture, cut short, HEIC, larger
    than the bounds above, or has too many scans, which is checked before decoding.
    """
    return open_to_read(source, most_pixels, LONGEST_SIDE)[0]


def open_to_read(
    source: Path | str | bytes, most_pixels: int = MOST_JPEG_PIXELS, side: int = READ_SIDE
) -> tuple[Image, float]:
    """Decode a photo for a reader; also return how many original pixels one of its pixels spans.

    A JPEG is decoded at a half, quarter or eighth that keeps `side` pixels on its longer side:
    decoding a phone's photo costs more than reading it. Raises PhotoError: as for `open_photo`.
    """
    if isinstance(source, bytes):
        return _decode(BytesIO(source), most_pixels, side)
    try:
        mode = Path(source).stat().st_mode
        if stat.S_ISDIR(mode):
            raise PhotoError(message("This is a folder; name the pictures in it."))
        if not stat.S_ISREG(mode):
            raise PhotoError(message("This is no ordinary file; name a picture."))
        with Path(source).open("rb") as file:
            return _decode(file, most_pixels, side)
    except FileNotFoundError as error:
        raise PhotoError(message("There is no such file; check its name.")) from error
    except OSError as error:
        raise PhotoError(
            message("The file cannot be opened ({reason}).", reason=error.strerror or str(error))
        ) from error


def open_to_watch(source: bytes, most_pixels: int = MOST_JPEG_PIXELS) -> Image:
    """Decode a picture of a table at rest: grey, of a JPEG the smallest size that shows motion.

    Its shape is that of `open_photo`. It takes an eighth of the time of `open_to_read`. Raises
    PhotoError: as for `open_photo`.
    """
    return _decode(BytesIO(source), most_pixels, GLANCE_SIDE, "L")[0]


def encode_jpeg(image: Image, quality: int = 85) -> bytes:
    """Encode a blue-green-red picture as a JPEG file; `quality` is 1 to 100."""
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()


def encode_small(image: Image, longest_side: int, quality: int) -> bytes:
    """Encode a picture as JPEG, shrunk to that longest side if it is larger."""
    height, width = image.shape[:2]
    scale = min(1.0, longest_side / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = image if scale == 1 else cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return encode_jpeg(np.asarray(small, np.uint8), quality)


def qr_code_text(image: Image) -> str:
    """The text of a QR code on a blue-green-red picture; empty if none can be read."""
    detector, grey = cv2.QRCodeDetectorAruco(), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    for scale in _CODE_SCALES:
        sized = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        text, *_ = detector.detectAndDecode(sized)
        if text:
            return str(text)
    return ""


def _decode(
    file: IO[bytes], most_pixels: int, side: int, mode: str | None = None
) -> tuple[Image, float]:
    start = file.read(32)
    file.seek(0)
    if not start:
        raise PhotoError(message("The file is empty; copy it again."))
    if start[4:8] == b"ftyp" and start[8:12] in _HEIC_BRANDS:
        raise PhotoError(
            message(
                "HEIC and AVIF pictures cannot be read; save it as JPEG and try again "
                "(on an iPhone: Settings, Camera, Formats, Most Compatible)."
            )
        )
    if start.startswith(_SIGNATURES[0]):
        _refuse_many_scans(file.read())
        file.seek(0)
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with _opened(file, start) as picture:
            longer = max(picture.size)
            _refuse_large(picture, most_pixels, side, mode)
            return _upright(picture, file), longer / max(picture.size)


def _opened(file: IO[bytes], start: bytes) -> Pillow.Image:
    try:
        return Pillow.open(file, formats=_FORMATS)
    except Pillow.DecompressionBombError as error:
        raise PhotoError(_too_large(MOST_PIXELS)) from error
    except Exception as error:
        # A broken header makes a decoder trip over whatever comes first, not OSError alone.
        known = start.startswith(_SIGNATURES)
        no_picture = message("The file is no picture that can be read; use JPEG, PNG or WebP.")
        raise PhotoError(_CUT_SHORT if known else no_picture) from error


def _refuse_many_scans(jpeg: bytes) -> None:
    """Refuse a JPEG with hundreds of 14-byte scans: libjpeg would take hours.

    Only its own scans count: an EXIF thumbnail has some, and a film behind the picture seems to.
    """
    at = scans = 0
    for _ in range(_MOST_SEGMENTS):
        found = _SEGMENT.search(jpeg, at)
        if found is None or found[1] == _END_OF_IMAGE:
            return
        at = found.end() + int.from_bytes(jpeg[found.end() : found.end() + 2], "big")
        scans += found[1] == _START_OF_SCAN
        if scans > _MOST_SCANS:
            break
    raise PhotoError(
        message(
            "This JPEG is built up in more than {most} steps; save it as an ordinary JPEG and try "
            "again.",
            most=_MOST_SCANS,
        )
    )


def _refuse_large(picture: Pillow.Image, most_pixels: int, side: int, mode: str | None) -> None:
    """Refuse what would take long or much memory; have a large JPEG decoded smaller.

    Its longer side keeps `side` pixels, unless it has more than MOST_PIXELS.
    """
    width, height = picture.size
    pixels, most = width * height, min(MOST_PIXELS, most_pixels)
    if picture.format in {"JPEG", "MPO"}:
        most = most_pixels
    if pixels > most:
        raise PhotoError(_too_large(most))
    if max(width, height) > min(LONGEST_SIDE, MOST_RATIO * min(width, height)):
        raise PhotoError(
            message("The picture is too long and narrow; send a photo of the whole table.")
        )
    if _held_coefficients(picture) > _MOST_COEFFICIENTS:
        raise PhotoError(_too_large(MOST_PIXELS))
    shrinking = 2 if pixels > MOST_PIXELS else 1
    while shrinking < _MOST_SHRINKING and max(width, height) >= 2 * shrinking * side:
        shrinking *= 2
    if shrinking > 1:
        picture.draft(mode, (width // shrinking, height // shrinking))
        pixels = picture.width * picture.height
    depth = _BYTES_OF_MODES.get(picture.mode, 1)
    copies = 2 if _is_animated(picture) and picture.format == "WEBP" else 1  # the next frame's
    if pixels * len(picture.getbands()) * depth * copies > MOST_BYTES:
        raise PhotoError(_too_large(MOST_PIXELS))


def _held_coefficients(picture: Pillow.Image) -> float:
    """How many coefficients libjpeg holds at once: a few rows of a picture, or all of it."""
    if not isinstance(picture, JpegImageFile) or not picture.info.get("progressive"):
        return 0
    sampled = [across * down for _, across, down, _ in picture.layer]
    return picture.width * picture.height * sum(sampled) / max(sampled)


def _upright(picture: Pillow.Image, file: IO[bytes]) -> Image:
    """Convert and turn in strips, so that no second whole copy is ever held."""
    try:
        orientation = picture.getexif().get(_ORIENTATION, 1)
        is_still_webp = picture.format == "WEBP" and not _is_animated(picture)
        strips = _webp_strips(file) if is_still_webp else _strips(picture)
    except Exception as error:
        # As above: the decoders of a dozen formats have no error in common.
        raise PhotoError(_CUT_SHORT) from error
    width, height = picture.size
    turned = orientation in {5, 6, 7, 8}
    image = np.empty((width, height, 3) if turned else (height, width, 3), np.uint8)
    as_stored = _as_stored(image, orientation)
    for top in range(0, height, _STRIP_ROWS):
        bottom = min(top + _STRIP_ROWS, height)
        as_stored[top:bottom] = np.asarray(_red_green_blue(strips(top, bottom)))[..., ::-1]
    return image


def _is_animated(picture: Pillow.Image) -> bool:
    return getattr(picture, "is_animated", False)


def _strips(picture: Pillow.Image) -> Strips:
    picture.load()
    return lambda top, bottom: picture.crop((0, top, picture.width, bottom))


def _webp_strips(file: IO[bytes]) -> Strips:
    """Decode WebP by OpenCV: the same pixels in a third of the memory and time.

    Pillow decodes every WebP as an animation, and holds four copies of it.
    """
    file.seek(0)
    pixels = cv2.imdecode(
        np.frombuffer(file.read(), np.uint8), cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION
    )
    if pixels is None:
        raise ValueError("OpenCV finds no whole picture in it")
    code = cv2.COLOR_BGRA2RGBA if pixels.shape[2] == len("BGRA") else cv2.COLOR_BGR2RGB
    return lambda top, bottom: Pillow.fromarray(cv2.cvtColor(pixels[top:bottom], code))


def _red_green_blue(strip: Pillow.Image) -> Pillow.Image:
    if strip.mode.startswith("I"):  # 16 bits a pixel: convert() would clip, not scale
        eight_bits = np.clip(np.asarray(strip, np.int64) >> 8, 0, 255)
        return Pillow.fromarray(eight_bits.astype(np.uint8)).convert("RGB")
    if strip.has_transparency_data:
        white = Pillow.new("RGBA", strip.size, _BACKGROUND)
        return Pillow.alpha_composite(white, strip.convert("RGBA")).convert("RGB")
    return strip.convert("RGB")


def _as_stored(image: Image, orientation: object) -> Image:
    """A view of the upright picture with rows and columns in the file's order.

    It undoes the eight orientations of EXIF 2.32, tag 0x0112; any other value means upright.
    """
    if orientation in {3, 4, 7, 8}:
        image = image[::-1]
    if orientation in {2, 3, 6, 7}:
        image = image[:, ::-1]
    if orientation in {5, 6, 7, 8}:
        image = image.transpose(1, 0, 2)
    return image


def _too_large(most: int) -> Message:
    return message(
        "The picture has more than {most} megapixels; make it smaller.", most=most // 10**6
    )


_MARGIN: Final = 0.6  # of the largest piece's longer side: surroundings show the place
_LONGEST_SIDES: Final = (800, 640, 480, 320, 160)
_QUALITIES: Final = (75, 60, 45)


def crop_photo(
    image: Image, quads: Sequence[Sequence[tuple[float, float]]], most_bytes: int
) -> tuple[bytes, tuple[int, int], list[list[list[float]]]]:
    """Cut out the pieces with these corners and some surroundings; the whole picture without any.

    It is shrunk, then compressed harder, until it has at most `most_bytes`: at the smallest it is
    160 pixels wide or high, which always fits into 60,000. Returns JPEG bytes, (width, height) and
    the corners in the crop.
    """
    found = [np.reshape(quad, (-1, 2)) for quad in quads]
    part, edge = image, np.zeros(2, int)
    if sides := [np.ptp(quad, axis=0).max() for quad in found if len(quad)]:
        corners, margin = np.concatenate(found), _MARGIN * max(sides)
        edge = np.maximum(0, (corners.min(axis=0) - margin).round()).astype(int)
        right, bottom = np.maximum(0, (corners.max(axis=0) + margin).round()).astype(int)
        part = image[edge[1] : bottom, edge[0] : right]
    if not part.size:  # all corners are outside
        part, edge = image, np.zeros(2, int)
    for side, quality in product(_LONGEST_SIDES, _QUALITIES):
        jpeg = encode_small(part, side, quality)
        if len(jpeg) <= most_bytes:
            break
    scale = min(1.0, side / max(part.shape[:2]))
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    return jpeg, size, [((quad - edge) * scale).round(1).tolist() for quad in found]


SIDE: Final = 256  # pixels
MOST_PORTRAIT_BYTES: Final = 30_000
_PORTRAIT_QUALITIES: Final = (85, 70, 50, 30, 15)


def portrait(photo: bytes) -> bytes:
    """The middle of a photo as a JPEG file of at most 256 x 256 pixels and 30 KB.

    It is upright and tells no place, time or camera. Raises PhotoError: as for `open_photo`.
    """
    image = open_photo(photo)
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = image[top : top + side, left : left + side]
    encoded = (encode_small(square, SIDE, quality) for quality in _PORTRAIT_QUALITIES)
    return next(jpeg for jpeg in encoded if len(jpeg) <= MOST_PORTRAIT_BYTES)


_DEFAULT_FRAMES_PER_SECOND: Final = 25.0
_MOST_FRAMES_PER_SECOND: Final = 1000.0
_FFMPEG_LOG_LEVEL: Final = "OPENCV_FFMPEG_LOGLEVEL"
_WHOLE_SHARE: Final = 0.8  # of the frames that a file states; some only estimate them
_START: Final = datetime(2000, 1, 1, tzinfo=UTC)  # arbitrary: a file states no time of day


class Clip:
    """A video file; use it as a context manager, once.

    `frames_per_second` is the file's own, or 25 where it states none; `length` is the number of
    frames it states, or 0.

    Raises ClipError: there is no such file, or no video in it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # OpenCV would take the name of what is no file for an address
        if path.is_dir():
            raise ClipError(f"{path} is a folder; folder:{path} watches the pictures in it.")
        if not path.exists():
            raise ClipError(f"{path} is not there; name a video file, or a camera as in webcam:0.")
        if not path.is_file():
            raise ClipError(f"{path} is no file; name a video file, or a camera as in webcam:0.")
        if not path.stat().st_size:
            raise ClipError(f"{path} is empty; record it again, or name another file.")
        with _quiet():
            self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened():
            raise ClipError(f"{path} is no video that can be played; record or convert it again.")
        stated = self._video.get(cv2.CAP_PROP_FPS)
        is_good = math.isfinite(stated) and 0 < stated <= _MOST_FRAMES_PER_SECOND
        self.frames_per_second = stated if is_good else _DEFAULT_FRAMES_PER_SECOND
        self.length = max(0, int(self._video.get(cv2.CAP_PROP_FRAME_COUNT)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._video.release()

    def frames(self) -> Iterator[Frame]:
        """The frames from 0, timed by the rate. Raises ClipError: under two, or it breaks off."""
        for number in count():
            good, image = self._video.read()
            if not good or image is None:
                break
            at = _START + timedelta(seconds=number / self.frames_per_second)
            yield Frame(number, at, np.asarray(image, np.uint8))
        if number == 0:
            raise ClipError(f"{self._path} holds no frame that can be read; record it again.")
        if number == 1:
            raise ClipError(f"{self._path} is a single picture; “tablescore read” reads those.")
        if number < _WHOLE_SHARE * self.length:
            raise ClipError(
                f"{self._path} breaks off after {number} of {self.length} frames; "
                "record or copy it again."
            )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpenCV and its FFmpeg from writing to stderr: ClipError reports what is wrong.

    FFmpeg takes its log level from the environment at its first use, and keeps it.
    """
    level, ffmpeg_level = logging.getLogLevel(), os.environ.get(_FFMPEG_LOG_LEVEL)
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    os.environ[_FFMPEG_LOG_LEVEL] = ffmpeg_level or "-8"
    try:
        yield
    finally:
        logging.setLogLevel(level)
        if ffmpeg_level is None:
            del os.environ[_FFMPEG_LOG_LEVEL]
