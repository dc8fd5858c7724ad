"""Photographs as phones, scanners and broken copies give them."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random
from struct import pack
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

from tests.vision.capture.jpegs import START_OF_SCAN, many_scans
from vision.capture.frame import Image
from vision.capture.photo import crop_photo, encode_jpeg, open_photo, open_to_read
from vision.errors import PhotoError, VisionError

RED, GREEN, BLUE = (0, 0, 255), (0, 255, 0), (255, 0, 0)
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("JPEG", {"quality": 90}),
    ("JPEG", {"quality": 90, "progressive": True}),
    ("JPEG", {"quality": 60, "restart_marker_rows": 1}),
    ("PNG", {}),
    ("WEBP", {"quality": 90}),
    ("WEBP", {"lossless": True}),
    ("BMP", {}),
    ("GIF", {}),
]


def busy_picture(width: int = 320, height: int = 240) -> Pillow.Image:
    """A picture with texture everywhere, so that no cut goes unseen."""
    rng = np.random.default_rng(1)
    coarse = rng.integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    return Pillow.fromarray(coarse).resize((width, height))


def encoded(picture: Pillow.Image, kind: str, **options: Any) -> bytes:
    """The bytes of a picture file."""
    file = BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def quarters() -> Pillow.Image:
    """Red at the upper left, green at the upper right, blue below; 40 x 20."""
    picture = Pillow.new("RGB", (40, 20), (0, 0, 255))
    picture.paste((255, 0, 0), (0, 0, 20, 10))
    picture.paste((0, 255, 0), (20, 0, 40, 10))
    return picture


def near(pixel: Any, colour: tuple[int, int, int], tolerance: int = 8) -> bool:
    """Whether a pixel has about this colour."""
    return bool(np.abs(np.asarray(pixel, int) - colour).max() <= tolerance)


def assert_quarters(image: Image) -> None:
    """The picture is the upright quarters."""
    assert image.shape == (20, 40, 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert near(image[3, 5], RED)
    assert near(image[3, 35], GREEN)
    assert near(image[16, 5], BLUE)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_whole_pictures_are_read_from_bytes_and_files(
    kind: str, options: dict[str, Any], tmp_path: Path
) -> None:
    """Each common kind gives the same upright picture, from a file and from bytes."""
    file = encoded(busy_picture(), kind, **options)
    path = tmp_path / "würfel 骰子.bin"
    path.write_bytes(file)
    image = open_photo(file)
    assert image.shape == (240, 320, 3)
    assert np.array_equal(image, open_photo(path))
    assert np.array_equal(image, open_photo(str(path)))


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_cut_pictures_are_refused(kind: str, options: dict[str, Any]) -> None:
    """No half picture is ever taken for a whole one, whatever its kind and wherever it was cut."""
    whole = encoded(busy_picture(), kind, **options)
    for share in (0.1, 0.99):
        with pytest.raises(PhotoError, match="cut short"):
            open_photo(whole[: int(len(whole) * share)])


def test_exif_orientation_is_undone() -> None:
    """Each of the eight orientations gives the same upright picture; any other means upright."""
    turns = {
        2: Pillow.Transpose.FLIP_LEFT_RIGHT,
        3: Pillow.Transpose.ROTATE_180,
        4: Pillow.Transpose.FLIP_TOP_BOTTOM,
        5: Pillow.Transpose.TRANSPOSE,
        6: Pillow.Transpose.ROTATE_90,
        7: Pillow.Transpose.TRANSVERSE,
        8: Pillow.Transpose.ROTATE_270,
    }
    for orientation in (*range(1, 9), 77):
        turn = turns.get(orientation)
        stored = quarters() if turn is None else quarters().transpose(turn)
        exif = Pillow.Exif()
        exif[0x0112] = orientation
        assert_quarters(open_photo(encoded(stored, "JPEG", quality=100, exif=exif, subsampling=0)))
        assert_quarters(open_photo(encoded(stored, "PNG", exif=exif)))


def test_broken_metadata_changes_nothing() -> None:
    """Damaged EXIF data and a broken colour profile; no warning leaks."""
    exif = b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + b"\x12\x01\x03\0" * 3
    assert_quarters(open_photo(encoded(quarters(), "JPEG", quality=100, exif=exif, subsampling=0)))
    assert_quarters(open_photo(encoded(quarters(), "PNG", icc_profile=b"no profile at all")))


@pytest.mark.parametrize("mode", ["P", "RGBA", "CMYK", "YCbCr"])
def test_colour_modes_keep_their_colours(mode: str) -> None:
    """Palettes, transparency, print colours and video colours end as blue-green-red."""
    kind = {"P": "PNG", "RGBA": "PNG", "CMYK": "JPEG", "YCbCr": "JPEG"}[mode]
    options = {"quality": 100, "subsampling": 0} if kind == "JPEG" else {}
    assert_quarters(open_photo(encoded(quarters().convert(mode), kind, **options)))


@pytest.mark.parametrize("mode", ["1", "L", "LA"])
def test_grey_modes_become_three_channels(mode: str) -> None:
    """A grey picture has three equal channels."""
    grey = Pillow.linear_gradient("L").convert(mode)
    image = open_photo(encoded(grey, "PNG"))
    assert image.shape == (256, 256, 3)
    assert np.array_equal(image[..., 0], image[..., 2])
    assert image[250].mean() > 230
    assert image[5].mean() < 25


def test_sixteen_bits_are_scaled_not_clipped() -> None:
    """A 16-bit grey picture keeps its shades."""
    shades = np.tile(np.arange(256, dtype=np.uint16) * 257, (4, 1))
    image = open_photo(encoded(Pillow.fromarray(shades), "PNG"))
    assert np.array_equal(image[0, :, 1], np.arange(256))


def test_transparency_lies_on_white() -> None:
    """What is transparent is white, whatever colour hides there."""
    picture = Pillow.new("RGBA", (8, 8), (10, 20, 30, 0))
    assert near(open_photo(encoded(picture, "PNG"))[4, 4], (255, 255, 255))
    palette = Pillow.new("P", (8, 8), 0)
    palette.putpalette([0, 0, 0, 255, 0, 0])
    assert near(open_photo(encoded(palette, "PNG", transparency=0))[4, 4], (255, 255, 255))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.jpg", b"", "The file is empty; copy it again."),
        ("text.jpg", b"dear diary, " * 40, "no picture that can be read"),
        ("page.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no picture"),
        ("letter.eps", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "no picture"),
        ("header.jpg", b"\xff\xd8\xff\xe0", "cut short"),
        ("phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 90, "save it as JPEG"),
        ("phone.jpg", b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic" + b"\0" * 90, "save it as JPEG"),
        ("web.avif", b"\0\0\0\x18ftypavif\0\0\0\0mif1avif" + b"\0" * 90, "save it as JPEG"),
        ("scan.tif", b"II*\0" + b"\x08\0\0\0" + b"\0" * 90, "use JPEG, PNG or WebP"),
        ("film.mp4", b"\0\0\0\x18ftypisom\0\0\0\0isomiso2" + b"\0" * 90, "no picture"),
    ],
)
def test_other_files_are_reported_by_one_sentence(
    name: str, content: bytes, sentence: str, tmp_path: Path
) -> None:
    """What is no photograph is named, by its content and never by its file name."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(PhotoError, match=sentence) as caught:
        open_photo(path)
    assert str(caught.value) == str(caught.value.message)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, VisionError)


def test_missing_files_folders_and_pipes_are_named(tmp_path: Path) -> None:
    """What is no file is refused without waiting for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, sentence in (
        (tmp_path / "nothing.jpg", "no such file"),
        (tmp_path, "a folder"),
        (pipe, "no ordinary file"),
        (tmp_path / ("x" * 300), "cannot be opened"),
    ):
        with pytest.raises(PhotoError, match=sentence):
            open_photo(path)


def huge_png(width: int, height: int) -> bytes:
    """A PNG of which only the header is told: any decoding would fail."""
    header = b"IHDR" + pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = pack(">I", 13) + header + pack(">I", zlib.crc32(header))
    return b"\x89PNG\r\n\x1a\n" + chunk + pack(">I", 10**6) + b"IDAT" + b"\0" * 50


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ((6000, 4001), "more than 24 megapixels"),
        ((60_000, 60_000), "more than 24 megapixels"),
        ((1, 23_000_000), "too long and narrow"),
        ((20_000, 1000), "too long and narrow"),
        ((150, 16_000), "too long and narrow"),
    ],
)
def test_too_large_and_too_long_pictures_are_refused_by_their_header(
    size: tuple[int, int], sentence: str
) -> None:
    """Before decoding, which would fail; and Pillow's warning stays inside."""
    with pytest.raises(PhotoError, match=sentence):
        open_photo(huge_png(*size))


def test_a_large_jpeg_comes_at_half_its_size() -> None:
    """As the newest phones send them; still upright, and still all of it."""
    exif = Pillow.Exif()
    exif[0x0112] = 6
    large = quarters().transpose(Pillow.Transpose.ROTATE_90).resize((5_000, 10_000))
    image = open_photo(encoded(large, "JPEG", exif=exif))
    assert image.shape == (2_500, 5_000, 3)
    assert near(image[300, 600], RED)
    assert near(image[2_200, 600], BLUE)
    with pytest.raises(PhotoError, match="more than 50 megapixels"):
        open_photo(encoded(Pillow.new("L", (10_000, 5_001)), "JPEG"))


@pytest.mark.parametrize(
    ("kind", "longer", "decoded"),
    [
        ("JPEG", 3198, 3198),
        ("JPEG", 3200, 1600),
        ("JPEG", 6398, 3199),
        ("JPEG", 6400, 1600),
        ("PNG", 3200, 3200),
    ],
)
def test_a_jpeg_to_be_read_is_decoded_as_small_as_it_may_be(
    kind: str, longer: int, decoded: int
) -> None:
    """By powers of two, to no less than 1600 pixels; turned as ever, and the scale is told."""
    exif = Pillow.Exif()
    exif[0x0112] = 6
    stored = quarters().transpose(Pillow.Transpose.ROTATE_90).resize((longer // 8, longer))
    image, shrunk = open_to_read(encoded(stored, kind, exif=exif))
    height, width = image.shape[:2]
    assert (width, shrunk) == (decoded, longer / decoded)
    assert near(image[height // 6, width // 6], RED)
    assert near(image[5 * height // 6, width // 6], BLUE)


def test_a_jpeg_that_is_held_twice_as_large_is_refused() -> None:
    """Of a progressive one all coefficients are in memory before the first pixel is."""
    large = Pillow.new("RGB", (8_000, 5_008))
    with pytest.raises(PhotoError, match="more than 24 megapixels"):
        open_photo(encoded(large, "JPEG", progressive=True, subsampling=0))
    assert open_photo(encoded(large, "JPEG", subsampling=0)).shape == (2_504, 4_000, 3)


LARGEST = """
import resource, sys
from vision.capture.photo import open_photo
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
open_photo(sys.stdin.buffer.read())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize(
    ("mode", "size", "kind", "options"),
    [
        ("RGB", (10_000, 5_000), "JPEG", {"progressive": True}),
        ("CMYK", (8_000, 6_000), "JPEG", {}),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("RGB", (8_000, 5_000), "JPEG", {"progressive": True, "subsampling": 0}),
                ("RGBA", (6_000, 4_000), "PNG", {"compress_level": 1}),
                ("RGBA", (6_000, 4_000), "WEBP", {"lossless": True, "method": 0}),
            )
        ),
    ],
)
def test_the_largest_pictures_fit_into_modest_memory(
    mode: str, size: tuple[int, int], kind: str, options: dict[str, Any]
) -> None:
    """A table with a picture in work stays below 600 MB, of which it needs 300 for itself."""
    file = encoded(Pillow.new(mode, size, 9), kind, **options)
    ran = subprocess.run(
        [sys.executable, "-c", LARGEST], input=file, capture_output=True, check=True
    )
    assert int(ran.stdout) < 300_000_000 // 1024


def test_no_library_writes_past_us(capfd: pytest.CaptureFixture[str]) -> None:
    """A damaged picture is told by its error alone, and not by what a library prints."""
    for kind, options in (*KINDS, ("TIFF", {"compression": "group4"})):
        mode = "1" if kind == "TIFF" else "RGB"
        whole = encoded(busy_picture(96, 64).convert(mode), kind, **options)
        chance = Random(7)
        for _ in range(40):
            file = bytearray(whole)
            for _ in range(8):
                file[chance.randrange(8, len(file))] = chance.randrange(256)
            with suppress(PhotoError):
                open_photo(bytes(file))
        assert capfd.readouterr() == ("", "")


def test_every_cut_of_small_files_is_refused_or_whole() -> None:
    """Cut at any byte, a file is refused unless every pixel of it had arrived."""
    picture = busy_picture(48, 32)
    for kind, options in KINDS[:6]:
        file = encoded(picture, kind, **options)
        whole = open_photo(file)
        for length in range(1, len(file), 7):
            try:
                part = open_photo(file[:length])
            except PhotoError:
                continue
            assert np.array_equal(part, whole), (kind, length)


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(KINDS),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=8),
)
def test_damaged_files_are_read_or_refused(
    kind: tuple[str, dict[str, Any]], damage: list[tuple[float, int]]
) -> None:
    """Whatever bytes of a file are wrong, it gives a picture or one sentence, nothing else."""
    file = bytearray(encoded(busy_picture(48, 32), kind[0], **kind[1]))
    for share, byte in damage:
        file[int(share * (len(file) - 1))] = byte
    try:
        image = open_photo(bytes(file))
    except PhotoError as error:
        assert str(error).endswith(".")  # noqa: PT017 - either outcome is right
    else:
        assert image.ndim == 3


def test_a_jpeg_of_endless_scans_is_refused_unread() -> None:
    """Each takes 14 bytes, and the time of the whole picture; 64 are more than any camera makes."""
    assert open_photo(many_scans(busy_picture(), 64)).shape == (240, 320, 3)
    for scans in (65, 5000):
        with pytest.raises(PhotoError, match="more than 64 steps"):
            open_photo(many_scans(busy_picture(), scans))


@pytest.mark.parametrize(
    ("marker", "count"), [(b"\xff\xe0\0\2", 5000), (b"\xff\xff\xfe\0\3x", 5000)]
)
def test_a_jpeg_of_endless_segments_is_refused_unread(marker: bytes, count: int) -> None:
    """They would take the time of the search for scans."""
    file = encoded(busy_picture(), "JPEG")
    with pytest.raises(PhotoError, match="steps"):
        open_photo(file[:2] + marker * count + file[2:])


def test_scans_that_are_not_the_pictures_own_are_not_counted() -> None:
    """Those of a preview within it, of a film behind it, of what looks like one among its data."""
    scan = START_OF_SCAN + bytes(12)
    comment = b"\xff\xfe" + (2 + 100 * len(scan)).to_bytes(2, "big") + 100 * scan
    file = encoded(quarters(), "JPEG", quality=100, subsampling=0)
    assert_quarters(open_photo(file[:2] + comment + file[2:] + 100 * scan))


def test_pictures_that_hold_several_give_the_first() -> None:
    """Phones that keep two pictures in one JPEG, and moving pictures, give their first one."""
    second = Pillow.new("RGB", (40, 20))
    for kind in ("MPO", "GIF"):
        file = encoded(quarters(), kind, save_all=True, append_images=[second])
        assert near(open_photo(file)[16, 5], BLUE, 40)


def test_encoded_jpegs_read_the_same_again() -> None:
    """A picture survives encoding but for JPEG's small losses, and quality costs bytes."""
    image = open_photo(encoded(busy_picture(), "PNG"))
    again = open_photo(encode_jpeg(image, 95))
    assert np.abs(again.astype(int) - image).mean() < 3
    assert len(encode_jpeg(image, 40)) < len(encode_jpeg(image, 95))


QUAD = ((100.0, 200.0), (200.0, 200.0), (200.0, 300.0), (100.0, 300.0))


def noise(width: int, height: int) -> Image:
    """A picture that no coder makes small."""
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), np.uint8)


def test_a_picture_is_cut_to_its_pieces() -> None:
    """With a margin around them; where they lie in it is told."""
    jpeg, size, placed = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, ()], 60_000)
    assert (size, placed) == ((220, 220), [[[60, 60], [160, 60], [160, 160], [60, 160]], []])
    assert open_photo(jpeg).shape == (220, 220, 3)


def test_a_large_part_is_made_smaller() -> None:
    """And its corners with it."""
    far = tuple((x + 900, y + 400) for x, y in QUAD)
    _, size, (near, _) = crop_photo(np.zeros((960, 1280, 3), np.uint8), [QUAD, far], 60_000)
    assert max(size) == 800
    assert near[0] == [round(60 * 800 / 1120, 1)] * 2


@pytest.mark.parametrize("quads", [[], [((-90.0, -90.0), (-80.0, -90.0), (-80.0, -80.0))]])
def test_without_pieces_in_it_the_whole_picture_is_kept(
    quads: list[tuple[tuple[float, float], ...]],
) -> None:
    """Where nothing lies on it, or only beside it."""
    _, size, placed = crop_photo(np.zeros((300, 400, 3), np.uint8), quads, 60_000)
    assert (size, placed) == ((400, 300), [[list(corner) for corner in quad] for quad in quads])


@pytest.mark.parametrize(("width", "height"), [(1280, 960), (1280, 100), (200, 1600)])
def test_whatever_it_shows_fits(width: int, height: int) -> None:
    """Noise, which takes most, of any shape."""
    assert len(crop_photo(noise(width, height), [], 60_000)[0]) <= 60_000
