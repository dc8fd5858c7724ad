"""The registry of players over all tournaments, and seasons, in a database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from sqlalchemy import delete, func, insert, select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.model.entrant import spelling_key
from scoreboard.tournament.model.season import Season, season_from_document
from scoreboard.tournament.storage.tables import (
    PLAYER_SPELLINGS,
    PLAYERS,
    SEASONS,
    digest,
    read,
    require_seen,
    written,
)

ID_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class RegistryPlayer:
    """A player with all spellings that their entries had; `name` is empty for an erased one."""

    player_id: str
    name: str
    club: str = ""
    note: str = ""
    hidden: bool = False
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerList:
    """All players by their id, and the owner of each spelling, by its digest."""

    players: Mapping[str, RegistryPlayer]
    owners: Mapping[str, str]

    def owner(self, name: str) -> str | None:
        """The id of the player with this spelling in a tournament, or None."""
        return self.owners.get(_digest(name))


class SqlPlayers:
    """Players, by digests of spellings that outlive a name, and seasons; may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> PlayerList:
        spellings = PLAYER_SPELLINGS.c
        asked = select(PLAYERS, spellings.spelling, spellings.spelling_sha256)
        rows = self._database.rows(asked.join(PLAYER_SPELLINGS))
        found: dict[tuple[Any, ...], list[str]] = defaultdict(list)
        for *player, spelling, _ in rows:
            found[tuple(player)] += [spelling] if spelling else []
        players = (
            RegistryPlayer(player_id, name, club, note, bool(hidden), tuple(sorted(spelled)))
            for (player_id, name, club, note, hidden), spelled in found.items()
        )
        by_name = sorted(players, key=lambda each: each.name.casefold())
        return PlayerList(
            {each.player_id: each for each in by_name},
            {row.spelling_sha256: row.player_id for row in rows},
        )

    def add_missing(self, clubs: Mapping[str, str], corrected: Mapping[str, str]) -> None:
        """Register unknown players with their club, and `corrected` spellings of known ones."""
        known = self.all()
        new = {name: club for name, club in clubs.items() if known.owner(name) is None}
        for was, name in corrected.items():
            if name in new and (player := known.players.get(known.owner(was) or "")):
                self.change(replace(player, name=player.name and name), name)
                del new[name]
        if not new:
            return
        insert_missing = self._database.dialect.insert_missing
        players = [
            {"player_id": spelling_id(name), "name": name, "club": club, "note": "", "hidden": 0}
            for name, club in new.items()
        ]
        with self._database.writing() as connection:
            connection.execute(insert_missing(PLAYERS), players)
            rows = [_spelling_row(name, spelling_id(name)) for name in new]
            connection.execute(insert_missing(PLAYER_SPELLINGS), rows)

    def change(self, player: RegistryPlayer, spelling: str = "") -> None:
        """Store a player; a new name or `spelling` is one more, by its digest for an erased one."""
        row = _spelling_row(spelling or player.name, player.player_id)
        row |= {"spelling": player.name or None}
        self._database.write(
            update(PLAYERS)
            .where(PLAYERS.c.player_id == player.player_id)
            .values(
                name=player.name, club=player.club, note=player.note, hidden=int(player.hidden)
            ),
            self._database.dialect.insert_missing(PLAYER_SPELLINGS).values(row),
        )

    def merge(self, player: RegistryPlayer, into: RegistryPlayer) -> None:
        """Merge two players; club and note of the first are kept if the second has none."""
        row = {"club": into.club or player.club, "note": into.note or player.note}
        spellings = update(PLAYER_SPELLINGS)
        self._database.write(
            update(PLAYERS).where(PLAYERS.c.player_id == into.player_id).values(row),
            spellings.where(PLAYER_SPELLINGS.c.player_id == player.player_id).values(
                player_id=into.player_id
            ),
            delete(PLAYERS).where(PLAYERS.c.player_id == player.player_id),
        )

    def erase(self, player_id: str) -> None:
        """Delete name, club, note and spellings; their games still count for the others."""
        gone = {"name": "", "club": "", "note": "", "hidden": 1}
        spellings = update(PLAYER_SPELLINGS).where(PLAYER_SPELLINGS.c.player_id == player_id)
        self._database.write(
            update(PLAYERS).where(PLAYERS.c.player_id == player_id).values(gone),
            spellings.values(spelling=None),
        )

    def seasons(self) -> tuple[Season, ...]:
        """All seasons, newest first."""
        rows = self._database.rows(select(SEASONS).order_by(SEASONS.c.opened.desc()))
        return tuple(season_from_document(number, name, read(text)) for number, name, text in rows)

    def keep_season(self, season: Season, seen: int | None = None) -> int:
        """Store a season, a new one for 0; its number. Raises OutdatedError for another `seen`."""
        rules = asdict(replace(season, number=0, name=""))
        this = update(SEASONS).where(SEASONS.c.opened == season.number)
        kept = this if season.number else insert(SEASONS)
        row = {"name": season.name, "rules": written(rules)}
        count = select(func.count()).select_from(SEASONS)
        with self._database.writing() as connection:
            require_seen(self._database, connection, count, seen)
            number = connection.execute(kept.values(row).returning(SEASONS.c.opened)).scalar()
        return number or season.number

    def delete_season(self, number: int) -> None:
        """Forget a season; its events stay."""
        self._database.write(delete(SEASONS).where(SEASONS.c.opened == number))


def spelling_id(name: str) -> str:
    """The id of a player from the spelling of their first entry."""
    return _digest(name)[:ID_DIGITS]


def _spelling_row(name: str, player_id: str) -> dict[str, str | None]:
    return {"spelling_sha256": _digest(name), "spelling": name, "player_id": player_id}


def _digest(name: str) -> str:
    return digest(spelling_key(name))
