"""Takes a person out of the stored games: the one exception to events that stay (decision 0033)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, or_, select, update

from scoreboard.games.engine.game import Game, Setup
from scoreboard.games.engine.transcript import DAMAGE, NAMING, Abandoned, Resumed, Retraction
from scoreboard.players import guests_for
from scoreboard.storage.rows import Row, read_event, read_header
from scoreboard.storage.schema import (
    EVENTS_TABLE,
    FINISHED_TABLE,
    GAMES_TABLE,
    PROFILE_NAMES_TABLE,
    PROFILES_TABLE,
    SCORE_PHOTOS_TABLE,
    STANDINGS_TABLE,
)

# A member that names a player, as `json` wrote it; rows are edited as text, damaged ones too.
_NAMED: Final = re.compile(rf'("(?:{"|".join(NAMING)})": )("(?:[^"\\]|\\.)*")')


def erase_players(
    connection: Connection, games: Mapping[str, Game[Any, Any, Any]], names: Collection[str]
) -> None:
    """Call these people guests in every game, in the bin too, and delete their profiles."""
    listed = connection.execute(select(GAMES_TABLE).with_for_update()).mappings().all()
    photos = SCORE_PHOTOS_TABLE.c
    pictured = set(connection.execute(select(photos.game_id).distinct()).scalars())
    for row in listed:
        players = str(row["players"])
        if theirs := [name for name in names if _json(name) in players]:
            if row["game_id"] in pictured:  # of few games: to replay all would take minutes
                steps = _steps_of(connection, games, row, theirs)
                theirs_taken = (photos.game_id == row["game_id"], photos.step.in_(steps))
                connection.execute(delete(SCORE_PHOTOS_TABLE).where(*theirs_taken))
            _rename(connection, row, theirs)
    theirs_too = select(PROFILE_NAMES_TABLE.c.profile_id).where(
        PROFILE_NAMES_TABLE.c.name.in_(names)
    )
    connection.execute(delete(PROFILES_TABLE).where(PROFILES_TABLE.c.profile_id.in_(theirs_too)))


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
    # worked out anew, with the checksum of the rows as they are now
    connection.execute(delete(STANDINGS_TABLE).where(STANDINGS_TABLE.c.game_id == game_id))
    for name, guest in guests.items():
        theirs = (FINISHED_TABLE.c.game_id == game_id, FINISHED_TABLE.c.name == name)
        connection.execute(update(FINISHED_TABLE).where(*theirs).values(name=guest))


def _json(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _renamed(event: str, renamed: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda found: found[1] + renamed.get(found[2], found[2]), event)


def _steps_of(
    connection: Connection,
    games: Mapping[str, Game[Any, Any, Any]],
    row: Row,
    names: Collection[str],
) -> set[int]:
    """The steps of these people's turns, undone ones too; all of a game that cannot be replayed."""
    stored = select(EVENTS_TABLE).where(EVENTS_TABLE.c.game_id == row["game_id"])
    rows = connection.execute(stored.order_by(EVENTS_TABLE.c.sequence)).mappings().all()
    steps = set()
    try:
        header = read_header(row)
        game = games[header.game]
        states = [game.start(Setup(header.players, header.options))]
        for record in (read_event(one, game.kinds) for one in rows):
            match record.event:
                case Retraction():
                    states.pop()
                case Abandoned() | Resumed():
                    pass
                case event:
                    seat = game.turn(states[-1]).player
                    if seat is None or header.players[seat] in names:
                        steps.add(record.step)
                    states.append(game.evolve(states[-1], event))
    except DAMAGE:
        return {one["step"] for one in rows}
    return steps
