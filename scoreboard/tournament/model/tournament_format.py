"""A tournament's format as data: all of a director's settings, house rules included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Choice, Option
from scoreboard.message import Message, message

System = Literal["tables", "swiss", "round-robin", "knockout", "double-knockout", "blind"]
Reckoning = Literal["points", "places", "wins"]
Seating = Literal["drawn", "snake", "blocks"]
TableNumbers = Literal["as-drawn", "best-first", "keep", "spread"]
StageSeating = Literal["odd-even", "snake", "blocks"]
StageSystem = Literal["by-standing", "knockout", "double-knockout"]
NextMatch = Literal["by-round", "called", "automatic"]
DUELS: Final[frozenset[System]] = frozenset({"swiss", "round-robin", "knockout", "double-knockout"})
KNOCKOUTS: Final[frozenset[System]] = frozenset({"knockout", "double-knockout"})
LAID_DOWN: Final[frozenset[System]] = frozenset({*KNOCKOUTS, "round-robin"})
EQUALS: Final = "="
# How long a game is, who begins and what a rack costs are fields of the format or follow from the
# seating; colours and teams depend on how many sit at a table, which differs in one round.
SETTLED_OTHERWISE: Final = frozenset(
    {
        *("rounds", "target", "start", "begins", "joker", "unmelded", "bonus", "most_lost"),
        *("colours", "teams", "name", "word"),
    }
)


@dataclass(frozen=True, slots=True)
class Stage:
    """The stage after a cut: one round of `games` games for `entrants`, or a knockout.

    `seating` puts them at tables by their standing: "odd-even" seats 1-3-5-7 and 2-4-6-8; a
    knockout's bracket is seeded by it. `best_of_table` takes equally many from each table.
    """

    name: str
    entrants: int
    games: int = 3
    seating: StageSeating = "odd-even"
    carried: bool = False
    best_of_table: bool = False
    system: StageSystem = "by-standing"

    @property
    def is_knockout(self) -> bool:
        """Whether a loss here is elimination."""
        return self.system in KNOCKOUTS


@dataclass(frozen=True, slots=True)
class TournamentFormat:
    """How a tournament is played and reckoned; `format_text` has each field in words, and its TOML.

    "tables" plays `rounds` rounds, in each of `meetings` meetings, of `games` games at tables,
    which `seating` makes by standing from round `by_standing_from` on (0: never). "swiss", "round-
    robin" and both knockouts are duels, each match of `games` games; in "blind" everyone plays
    alone. The best `counted` meetings count, or scores of a blind tournament, and the best
    `team_counted` players of a team; 0 counts all.
    "points" adds the scores, "places" awards `place_points` by the places at the table, "wins"
    awards `win`, `draw` and `loss` to a match. `house_rules` are options of the rulebook as
    "NAME=VALUE", the same at every table. In a knockout `next_match` is when a match begins: "by-
    round" with all others of its round, "called" by the director and "automatic" as soon as both
    players are free.
    """

    name: str
    game: str = "rummikub"
    system: System = "tables"
    rounds: int = 3
    meetings: int = 1
    counted: int = 0
    team_counted: int = 0
    games: int = 3
    round_minutes: int = 0
    sign_for_all: bool = True
    table_size: int = 4
    smallest_table: int = 3
    by_standing_from: int = 0
    seating: Seating = "drawn"
    accessible_tables: tuple[int, ...] = (1,)
    mates_apart: bool = True
    reckoning: Reckoning = "points"
    zero_sum: bool = False
    place_points: tuple[int, ...] = (4, 3, 2, 1, 0, 0)
    win: int = 2
    draw: int = 1
    loss: int = 0
    winner_bonus: int = 0
    most_lost: int = 0
    joker_penalty: int = 30
    unmelded_penalty: int = 0
    bye: int = 0
    no_show: int = 0
    forfeit: int = 0
    missed_round: int = 0
    grand_final_twice: bool = True
    third_place: bool = False
    next_match: NextMatch = "by-round"
    tiebreaks: tuple[str, ...] = ("points", "wins", "best-game", "lot")
    house_rules: tuple[str, ...] = ()
    dutch: bool = False
    propose_draws: bool = False
    table_numbers: TableNumbers = "as-drawn"
    stages: tuple[Stage, ...] = ()

    @property
    def penalties(self) -> Mapping[str, int]:
        """The extra costs of a rack, by the rulebook's names."""
        return {"joker": self.joker_penalty, "unmelded": self.unmelded_penalty}

    def in_stage(self, stage: int) -> TournamentFormat:
        """A stage's format, 0 before any cut; a knockout's matches count, and who lasts longer."""
        own = self.stages[stage - 1] if stage else None
        if own is None or own.system == "by-standing":
            return self
        rest = (each for each in self.tiebreaks if each != "lasted")
        return replace(
            self,
            system=own.system,
            games=own.games,
            table_size=2,
            smallest_table=2,
            reckoning="wins",
            bye=self.win,
            tiebreaks=("lasted", *rest),
        )

    def lays_down(self, stage: int) -> bool:
        """Whether the first draw of a stage, 0 before any cut, fixes all pairings."""
        return self.in_stage(stage).system in (KNOCKOUTS if stage else LAID_DOWN)

    @property
    def calls_matches(self) -> bool:
        """Whether a match begins as soon as both players are free, without waiting for a round."""
        return self.system in KNOCKOUTS and self.next_match != "by-round"

    @property
    def better(self) -> int:
        """As for its rulebook: 1 if the higher score is better, -1 if the lower is."""
        return GAMES[self.game].better(house_values(self)) if self.game in GAMES else 1

    @property
    def two_player(self) -> bool:
        """Whether everyone meets one opponent at a time."""
        return self.system in DUELS


def adds_up_to_zero(game: str) -> bool:
    """Whether the scores of a table add up to 0 by that rulebook."""
    return game in GAMES and GAMES[game].zero_sum


def house_options(game: str) -> tuple[Option, ...]:
    """The options of a rulebook that a tournament may settle; none without such a rulebook."""
    options = GAMES[game].options if game in GAMES else ()
    return tuple(option for option in options if option.name not in SETTLED_OTHERWISE)


def house_values(form: TournamentFormat) -> Mapping[str, str]:
    """The settled options by name, in their stored form, as far as the rulebook has them."""
    return {each.name: own.value for each, own in _choices(form) if own.value != each.default}


def house_rules_printed(form: TournamentFormat) -> Iterator[Message]:
    """Each house rule that is not at its default, as printed on a sheet."""
    for option, choice in _choices(form):
        if choice.value != option.default and choice.printed is not None:
            yield choice.printed


def house_faults(form: TournamentFormat) -> Iterator[Message]:
    """The faults of a format's house rules, each with its cure."""
    options = {option.name: option for option in house_options(form.game)}
    for written in form.house_rules:
        name, equals, value = written.partition(EQUALS)
        if not equals or name not in options:
            yield message(
                'house_rules: "{written}" names no house rule of {game}: write "NAME=VALUE" with '
                "one of {names}.",
                written=written,
                game=GAMES[form.game].title,
                names=", ".join(options),
            )
            continue
        try:
            options[name].settled({name: value})
        except RuleViolationError as error:
            yield error.message
    names = [written.partition(EQUALS)[0] for written in form.house_rules]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield message("house_rules: {name} is settled twice: write it once.", name=name)


def _choices(form: TournamentFormat) -> Iterator[tuple[Option, Choice]]:
    options = {option.name: option for option in house_options(form.game)}
    for written in form.house_rules:
        name, _, value = written.partition(EQUALS)
        if name in options:
            yield options[name], options[name].settled({name: value})
