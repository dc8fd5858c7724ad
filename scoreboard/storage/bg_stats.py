"""Games for the app BG Stats, as a link or a file, and games that a backup of it brings.

create_play_link(play)      # a person opens it on the phone
play_file(plays)            # an evening
open_games(file)            # an archive of Tablescore, or a backup of BG Stats

The link is that of https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-
websites/ (version 3.3.2 or higher). Files have the fields that the app writes itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import IO, Any, Final
from urllib.parse import parse_qsl, quote
from uuid import NAMESPACE_URL, UUID, uuid5
from zipfile import ZipFile, is_zipfile

from scoreboard.games import GAMES
from scoreboard.games.finished import FinishedGame
from scoreboard.games.free_sheet import LONGEST_TITLE, EntryDomain
from scoreboard.games.notation import replay_text
from scoreboard.players import quoted
from scoreboard.storage.game_archive import HOSTILE, ArchivedGame, GameArchive, open_archive

CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html?data="
MOST_BYTES: Final = 100_000_000
OWN: Final = "manifest.json"  # the file that Tablescore's own archives have


@dataclass(frozen=True, slots=True)
class FinishedPlay:
    """A finished game as BG Stats sees it: each player's part, and the seat that began."""

    parts: Sequence[FinishedGame]
    beginner: int

    @property
    def game(self) -> dict[str, Any]:
        """BG Stats asks for the number on BoardGameGeek if it is not given."""
        first = self.parts[0]
        rulebook = GAMES[first.game]
        title = str(rulebook.title_under(dict(parse_qsl(first.rules))))
        number = _given(bggId=rulebook.bgg_id)
        return {"name": title, **number, "highestWins": first.better > 0, "noPoints": False}

    @property
    def at(self) -> str:
        return self.parts[0].finished_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")

    def scores(self) -> list[tuple[str, dict[str, Any]]]:
        """Each player's name and result, in seat order.

        `winner` and `startPlayer` are always set: the Android app is reported to refuse a play
        without.
        """
        scores = []
        for part in sorted(self.parts, key=lambda part: part.seat):
            score = {"winner": part.place == 1, "startPlayer": part.seat == self.beginner}
            scores.append((part.name, score | _given(score=part.total, rank=part.place)))
        return scores


def _given(**values: int | None) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def create_play_link(play: FinishedPlay) -> str:
    """The link for a finished game; a person opens it, the table sends nothing.

    Names identify the players, so that BG Stats matches each of them once.
    """
    first, game = play.parts[0], play.game
    is_own = game["name"] != str(GAMES[first.game].title)
    scores = [{"name": name, "sourcePlayerId": name, **score} for name, score in play.scores()]
    document = {
        "sourceName": "Tablescore",
        "sourcePlayId": first.game_id,
        "playDate": play.at,
        "game": {**game, "sourceGameId": game["name"] if is_own else first.game},
        "players": scores,
    }
    written = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return CREATE_PLAY + quote(written, safe="")


def play_file(plays: Iterable[FinishedPlay]) -> str:
    """A file of these games, as BG Stats shares them."""
    games, players, rows = dict[str, Any](), dict[str, int](), list[dict[str, Any]]()
    for play in plays:
        game = play.game
        numbered = {"id": len(games) + 1, "uuid": _uuid(game["name"]), **game}
        row = {
            "uuid": _uuid(play.parts[0].game_id),
            "playDate": play.at,
            "gameRefId": games.setdefault(game["name"], numbered)["id"],
            "locationRefId": 1,
            "playerScores": [],
        }
        for name, score in play.scores():
            player = {"playerRefId": players.setdefault(name, len(players) + 1)}
            row["playerScores"].append(player | score | {"score": str(score.get("score", ""))})
        rows.append(row)
    document = {
        "about": "A file for the app BG Stats: open or share it with the app.",
        "players": [{"id": at, "uuid": _uuid(name), "name": name} for name, at in players.items()],
        "locations": [{"id": 1, "uuid": _uuid("Tablescore"), "name": "Tablescore"}],
        "games": [*games.values()],
        "plays": rows,
        "userInfo": {"meRefId": 1},
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _uuid(name: str) -> str:
    """The same for the same name, so that a file opened twice brings nothing twice."""
    return str(uuid5(NAMESPACE_URL, f"tablescore:{name}")).upper()


def open_games(file: IO[bytes], ended: Iterable[datetime]) -> GameArchive:
    """Read an archive of Tablescore, or a backup or play file of BG Stats.

    A game of BG Stats that `ended` at a time when one here did came from here, and is left out.
    Raises ArchiveError as `open_archive` does.
    """
    try:
        document = json.loads(_backup(file))
        plays, games, players = (
            document["plays"],
            *({row["id"]: row for row in document[name]} for name in ("games", "players")),
        )
    except HOSTILE:
        file.seek(0)
        return open_archive(file)
    known = {at.astimezone(UTC).replace(microsecond=0) for at in ended}
    found = list[ArchivedGame]()
    for play in plays:
        try:
            game = _history(len(found) + 1, play, games, players)
        except HOSTILE:
            continue  # without points for everybody, or a name that no sheet takes
        if game.header.opened_at not in known:
            found.append(game)
    return GameArchive(None, tuple(found), (), left_out=len(plays) - len(found))


def _backup(file: IO[bytes]) -> bytes:
    """The document of BG Stats; empty if the file has none."""
    if not is_zipfile(file):
        file.seek(0)
        return file.read(MOST_BYTES)
    with ZipFile(file) as packed:
        names = [one.filename for one in packed.infolist() if one.file_size < MOST_BYTES]
        texts = [name for name in names if name.endswith(".json") and OWN not in names]
        return packed.read(texts[0]) if texts else b""


def _history(
    number: int, play: Mapping[str, Any], games: Mapping[Any, Any], players: Mapping[Any, Any]
) -> ArchivedGame:
    """The play as a game of the table's own: its name, and each player's points."""
    game = games[play["gameRefId"]]
    scores = {
        players[row["playerRefId"]]["name"].replace(",", " "): EntryDomain.parse(str(row["score"]))
        for row in play["playerScores"]
    }
    lines = [
        "game free-sheet",
        f"players {', '.join(map(quoted, scores))}",
        f"option name {game['name'].replace('#', '')[:LONGEST_TITLE]}",
        f"option winner {'highest' if game.get('highestWins', True) else 'lowest'}",
        *(f"write {quoted(name)}, {points}" for name, points in scores.items()),
        "end",
    ]
    played = replay_text("\n".join(lines), f"bgstats-{UUID(play['uuid'])}")
    at = datetime.fromisoformat(play["playDate"]).replace(tzinfo=UTC)
    records = tuple(replace(one, recorded_at=at, source="page") for one in played.records)
    return ArchivedGame(number, replace(played.header, opened_at=at), records)
