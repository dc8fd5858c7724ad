"""The page that finds the best turn for a rack of Rummikub without a game: typed, or on a photo."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Final

from flask import Blueprint, Response, request

from scoreboard.errors import NotationError
from scoreboard.games.advice.best_turns import counted, replay_turn, standing_of
from vision.capture.frame import Frame
from vision.capture.photo import open_to_read
from vision.errors import PhotoError
from vision.read.observation import read_photo
from vision.read.readers import open_reader
from web.shared.security import LARGEST_PHOTO_BYTES
from web.table.history.games import IN_TOURNAMENT, TOO_LONG, found_turn
from web.table.parts import Parts, shown

FIELDS: Final = ("rack", "table")
_reader = cache(open_reader)  # loaded with the first photo


def lay_views(parts: Parts) -> Blueprint:
    """`/lay`."""
    views = Blueprint("lay", __name__)

    @views.get("/lay", endpoint="show", right="player")
    @views.post("/lay", endpoint="read", right="player")
    def show() -> Response:
        request.max_content_length = len(FIELDS) * LARGEST_PHOTO_BYTES
        typed = {name: request.values.get(name, "") for name in FIELDS}
        melded, answer = bool(request.values.get("melded")), dict[str, object]()
        try:
            for name in FIELDS:
                photo = request.files.get(f"{name}-photo")
                if photo is not None and (jpeg := photo.read()):
                    typed[name] = tiles_on(jpeg, in_sets=name == "table")
            if parts.session.view.event is not None:
                answer = {"fault": IN_TOURNAMENT}
            elif typed["rack"].strip():
                standing = standing_of(typed["table"], typed["rack"], melded=melded)
                step = request.values.get("step", 0, type=int)
                answer = replay_turn(standing, found_turn(standing), step)._asdict()
        except (NotationError, PhotoError) as error:
            answer = {"fault": error.message}
        except TimeoutError:
            answer = {"fault": TOO_LONG}
        return shown("lay.html", points=counted({}), typed=typed, melded=melded, **answer)

    return views


def tiles_on(jpeg: bytes, *, in_sets: bool) -> str:
    """The tiles on a photo in the notation, sets in lines of their own. Raises PhotoError."""
    observation = read_photo(
        _reader("tiles"), Frame(0, datetime.now(UTC), open_to_read(jpeg)[0], single=True)
    )
    if in_sets:
        return "\n".join(" ".join(each.pieces) for each in observation.sets)
    return " ".join(observation.labels)
