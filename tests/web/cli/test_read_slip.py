"""`tablescore read-slip`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.vision.read.slip_photos import drawn_slip
from tests.web.cli.calling import call
from vision.capture.photo import encode_jpeg
from vision.read.slip_layout import SlipCode


def test_a_slip_is_printed_as_json(tmp_path: Path) -> None:
    """A line for each slip, a row for each seat of each game; an empty row has no score."""
    code = SlipCode("QK3F", 2, 7, 3, 2, 4, "7HGQ2")
    photo = tmp_path / "slip.jpg"
    photo.write_bytes(encode_jpeg(drawn_slip(code)))
    result = call("read-slip", str(photo))
    assert result.exit_code == 0
    read = json.loads(result.output)
    assert (read["photo"], read["slip"]) == (str(photo), str(code))
    assert [(row["game"], row["seat"]) for row in read["rows"]] == [
        (game, seat) for game in (3, 4) for seat in (1, 2, 3, 4)
    ]
    assert {row["score"] for row in read["rows"]} == {None}
    assert not any(row["sure"] for row in read["rows"])


def test_what_is_no_photo_is_refused(tmp_path: Path) -> None:
    """With a sentence, as every command."""
    photo = tmp_path / "slip.jpg"
    photo.write_bytes(b"nothing")
    result = call("read-slip", str(photo))
    assert result.exit_code == 1
    assert "Traceback" not in result.output
