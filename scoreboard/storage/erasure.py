"""Takes a person out of the stored games: the one exception to events that stay (decision 0033)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Connection, bindparam, delete, false, or_, select, update

from scoreboard.games.engine.transcript import NAMING
from scoreboard.players import guests_for
from scoreboard.storage.rows import Row
from scoreboard.storage.schema import (
    EVENTS_TABLE,
    FINISHED_TABLE,
    GAMES_TABLE,
    PROFILE_NAMES_TABLE,
    PROFILES_TABLE,
    SCORE_PHOTOS_TABLE,
)

# A member that names a player, as `json` wrote it; rows are edited as text, damaged ones too.
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAMED: Final = re.compile(rf'("(?:{"|".join(NAMING)})": )({_TEXT.pattern})')


def erase_players(connection: Connection, names: Collection[str]) -> None:
    """Call these people guests in every game, in the bin too, and delete their profiles.

    The photos of their turns go, and those that do not say whose turn it was.
    """
    listed = connection.execute(select(GAMES_TABLE).with_for_update()).mappings().all()
    photos = SCORE_PHOTOS_TABLE.c
    for row in listed:
        if theirs := [name for name in names if _json(name) in row["players"]]:
            of_others = [
                photos.seen.startswith(f'{{"seat": {seat}, ')
                for seat, player in enumerate(_TEXT.findall(row["players"]))
                if player not in map(_json, theirs)
            ]
            gone = (photos.game_id == row["game_id"], ~or_(false(), *of_others))
            connection.execute(delete(SCORE_PHOTOS_TABLE).where(*gone))
            _rename(connection, row, theirs)
    profiles = select(PROFILE_NAMES_TABLE.c.profile_id).where(PROFILE_NAMES_TABLE.c.name.in_(names))
    connection.execute(delete(PROFILES_TABLE).where(PROFILES_TABLE.c.profile_id.in_(profiles)))


def _rename(connection: Connection, row: Row, names: Collection[str]) -> None:
    game_id, players = row["game_id"], str(row["players"])
    guests = guests_for(names, re.findall(r'"([^"]*)"', players))
    renamed = {_json(name): _json(guest) for name, guest in guests.items()}
    for name, guest in renamed.items():
        players = players.replace(name, guest)
    this_game = GAMES_TABLE.c.game_id == game_id
    connection.execute(update(GAMES_TABLE).where(this_game).values(players=players))
    events = EVENTS_TABLE.c
    named = or_(*(events.event.contains(name, autoescape=True) for name in renamed))
    rows = connection.execute(
        select(events.sequence, events.event).where(events.game_id == game_id, named)
    )
    changed = [{"at": at, "text": _renamed(event, renamed)} for at, event in rows]
    if changed:
        this_event = (events.game_id == game_id, events.sequence == bindparam("at"))
        edit = update(EVENTS_TABLE).where(*this_event)
        connection.execute(edit.values(event=bindparam("text")), changed)
    for name, guest in guests.items():
        theirs = (FINISHED_TABLE.c.game_id == game_id, FINISHED_TABLE.c.name == name)
        connection.execute(update(FINISHED_TABLE).where(*theirs).values(name=guest))


def _json(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _renamed(event: str, renamed: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda found: found[1] + renamed.get(found[2], found[2]), event)
