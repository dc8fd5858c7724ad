"""A finished game's figures for its players' statistics, and the records that fall with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from scoreboard.dice import FACES
from scoreboard.games import GAMES
from scoreboard.games.dice.acts import CategoryScored, DiceRolled, StartRolled
from scoreboard.games.dice.state import State
from scoreboard.games.dice.yahtzee import FIVE_ALIKE
from scoreboard.games.engine.game import AnyGame, Setup
from scoreboard.games.engine.transcript import (
    GRAND_TOTAL,
    GameHeader,
    RecordedEvent,
    records_in_force,
)
from scoreboard.message import Message, message

# Games that differ in these alone are compared
NOT_RULES: Final = frozenset({"start", "begins", "word"})
BONUS = "bonus"


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """One player's part of a game: the input of statistics.

    `rules` are the house rules that are not at their default (see `rules_key`). `total` is None if
    the player left before the end, `place` if the game goes on. `boxes` are the points of each
    filled box, and the habits of a game that has any. `yahtzees` counts turns that ended with five
    of a kind, None in a game without dice; `bonus` whether the upper bonus was reached, None if
    there is none. `rolled` are the dice that a camera saw rolled, by face; kept ones are not.
    `dice` names that set of dice. `luck` are the points that they brought beyond the average and
    `costs` those that decisions cost, None if unknown.
    """

    game_id: str
    game: str
    rules: str
    finished_at: datetime
    seat: int
    name: str
    players: int
    total: int | None
    place: int | None = None
    boxes: Mapping[str, int] = field(default_factory=dict)
    yahtzees: int | None = None
    bonus: bool | None = None
    rolled: tuple[int, ...] = (0,) * len(FACES)
    dice: str = ""
    luck: float | None = None
    costs: float | None = None

    @property
    def better(self) -> int:
        """As for a rulebook: 1 if the higher total is better, -1 if the lower is."""
        return better(self.game, self.rules)


def better(game: str, rules: str) -> int:
    """1 if the higher total is better under these house rules, given as `rules_key`, else -1."""
    return GAMES[game].better(dict(parse_qsl(rules)))


def rules_key(game: AnyGame, options: Mapping[str, str]) -> str:
    """The house rules that make results comparable: `full_house=25`, empty at the defaults."""
    defaults = {option.name: option.default for option in game.options}
    return urlencode(
        [
            (name, value)
            for name, value in sorted(options.items())
            if name not in NOT_RULES and value != defaults.get(name)
        ]
    )


def finished_games(
    game: AnyGame,
    header: GameHeader,
    records: Sequence[RecordedEvent],
    read: Container[int] | None = None,
) -> tuple[FinishedGame, ...]:
    """Each player's part of a game, in seat order, as far as it has come.

    `read` are the steps whose roll a camera read; without it all rolls are counted, typed ones too.
    Raises TranscriptError, here and below: the records contradict each other.
    """
    in_force = records_in_force(records)
    states = list(_states(game, header, in_force))
    state = states[-1]
    sheet, outcome = game.scoresheet(state), game.outcome(state)
    places = {} if outcome is None else {each.player: each.place for each in outcome.ranking}
    rolled, yahtzees = _dice_of(states, in_force, read)
    bonus = next((row for row in sheet.rows if row.key == BONUS), None)
    totals = sheet.row(GRAND_TOTAL).cells
    habits = game.habits(states, [(each.event, each.recorded_at) for each in in_force])
    at = in_force[-1].recorded_at if in_force else header.opened_at
    return tuple(
        FinishedGame(
            game_id=header.game_id,
            game=header.game,
            rules=rules_key(game, header.options),
            finished_at=at,
            seat=seat,
            name=name,
            players=len(header.players),
            total=None if seat in sheet.gone else totals[seat].points or 0,
            place=places.get(name),
            boxes={
                row.key: points
                for row in sheet.rows
                if row.kind == "box" and (points := row.cells[seat].points) is not None
            }
            | dict(habits[seat] if habits else {}),
            yahtzees=yahtzees[name] if game.has_dice else None,
            bonus=None if bonus is None or seat in sheet.gone else bool(bonus.cells[seat].points),
            rolled=tuple(rolled[seat, face] for face in FACES),
        )
        for seat, name in enumerate(header.players)
    )


def beginner(game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent]) -> int:
    """The seat that began; the first one if it was not entered."""
    begun = (each.event for each in records_in_force(records))
    names = (each.player for each in begun if isinstance(each, game.begins))
    return next(map(header.players.index, names), 0)


def race(
    game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent]
) -> tuple[tuple[int, ...], ...]:
    """The totals in seat order after each round, in which everybody who stayed filled a box."""
    in_force, rounds, filled = records_in_force(records), list[tuple[int, ...]](), 0
    states = _states(game, header, in_force)
    next(states)
    for record, state in zip(in_force, states, strict=True):
        if game.scoring and not isinstance(record.event, game.scoring):
            continue
        sheet = game.scoresheet(state)
        boxes = [row.cells for row in sheet.rows if row.kind == "box"]
        staying = (seat for seat in range(len(sheet.players)) if seat not in sheet.gone)
        full = (sum(cells[seat].points is not None for cells in boxes) for seat in staying)
        totals = tuple(cell.points or 0 for cell in sheet.row(GRAND_TOTAL).cells)
        now = min(full, default=0)
        if now > filled:
            rounds.append(totals)
        elif rounds and game.outcome(state) is not None:
            rounds[-1] = totals
        filled = now
    return tuple(rounds)


def just_scored_five_alike(
    game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent]
) -> str | None:
    """The player who scored five of a kind with the last event, or None."""
    in_force = records_in_force(records)
    if not (in_force and isinstance(in_force[-1].event, CategoryScored)):
        return None
    *_, before, _now = _states(game, header, in_force)
    return before.players[before.seat] if _shows_five_alike(before) else None


def _shows_five_alike(state: State) -> bool:
    return state.rolls.roll is not None and FIVE_ALIKE(state.rolls.roll)


def _states(game: AnyGame, header: GameHeader, in_force: Sequence[RecordedEvent]) -> Iterator[Any]:
    """The state before the game's first event and after each one."""
    fresh = game.start(Setup(header.players, header.options))
    return accumulate((record.event for record in in_force), game.evolve, initial=fresh)


def _dice_of(
    states: Sequence[Any], in_force: Sequence[RecordedEvent], read: Container[int] | None
) -> tuple[Counter[tuple[int, int]], Counter[str]]:
    """How often each seat rolled each face, and how many fives of a kind it scored.

    A roll counts once it was corrected. One that no camera read does not count, nor one with no
    announced keep before it: it is unknown which of its dice were rolled.
    """
    rolled, yahtzees = Counter[tuple[int, int]](), Counter[str]()
    if not isinstance(states[-1], State):
        return rolled, yahtzees
    unknown, faces = set[tuple[int, ...]](), dict[tuple[int, ...], tuple[int, ...]]()
    for before, after, record in zip(states, states[1:], in_force, strict=False):
        roll = (after.seat, after.turns, after.rolls.made)
        typed = read is not None and record.step not in read
        unannounced = before.rolls.made and before.rolls.kept is None
        if isinstance(record.event, DiceRolled) and (typed or unannounced):
            unknown.add(roll)
        if after.rolls.roll and roll not in unknown:
            faces[roll] = after.rolls.roll.missing_from(after.rolls.held).faces
        if isinstance(record.event, CategoryScored) and _shows_five_alike(before):
            yahtzees[before.players[before.seat]] += 1
    begun = (record.step for record in in_force if isinstance(record.event, StartRolled))
    for (seat, start), step in zip(states[-1].start_rolls, begun, strict=True):
        if read is None or step in read:
            rolled.update((seat, face) for face in start.faces)
    for (seat, *_), of_roll in faces.items():
        rolled.update((seat, face) for face in of_roll)
    return rolled, yahtzees


LEAST_STREAK: Final = 3  # wins in a row that are worth a line
ORDINALS: Final = (
    message("first"),
    message("second"),
    message("third"),
    message("fourth"),
    message("fifth"),
)


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player's best total, and wins in a row at most and now, in comparable games before."""

    best: int | None = None
    streak: int = 0
    running: int = 0


def five_alike_record(name: str, what: Message, count: int) -> Message:
    """The line for a new five of a kind: its name `what`, and how many this year."""
    new: dict[str, str | Message] = {"player": name, "what": what}
    if count > len(ORDINALS):
        return message("{player}’s {what} number {count} this year", count=count, **new)
    return message("{player}’s {ordinal} {what} of the year", ordinal=ORDINALS[count - 1], **new)


def end_records(
    title: Message,
    best_of_all: int | None,
    before: Mapping[str, PlayerRecord],
    games: Sequence[FinishedGame],
) -> Iterator[Message]:
    """The lines for the end of a game: the best total of all, a player's best, wins in a row.

    `title` is the game's, `best_of_all` the best total overall before. A first game sets no record.
    """
    for game in games:
        known = before.get(game.name, PlayerRecord())
        if game.total is None or best_of_all is None:
            continue
        words: Mapping[str, str | int | Message]
        words = {"player": game.name, "game": title, "points": game.total}
        merit = game.better * game.total
        others = (game.better * each.total for each in games if each.total is not None)
        if merit > game.better * best_of_all and merit == max(others):
            yield message("New record in {game}: {player}, {points}", **words)
        elif known.best is not None and merit > game.better * known.best:
            yield message("{player}’s personal record in {game}: {points}", **words)
    for game in games:
        known = before.get(game.name, PlayerRecord())
        wins = known.running + 1
        if game.place != 1 or game.players == 1 or wins < LEAST_STREAK:
            continue
        if wins > known.streak:
            yield message(
                "{player}’s longest streak: {count} wins in a row", player=game.name, count=wins
            )
        else:
            yield message("{player} has won {count} in a row.", player=game.name, count=wins)
