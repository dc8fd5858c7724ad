"""A director for tests: gives commands, keeps what happened, and plays whole events by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Self, get_args

from scoreboard.tournament.model.authority import Attributed, Attribution, CommandRefusedError
from scoreboard.tournament.model.calls import following_events
from scoreboard.tournament.model.disputes import Dispute, Settle, Sign
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, EnterLate, Return, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import CorrectResult, ReportResult, SubmitScore
from scoreboard.tournament.model.round_draw import next_round, seats_for
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, RoundDrawnByHand, StartRound
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.scoring import is_complete, winners
from scoreboard.tournament.model.stages import Cut, DrawLot, Finish
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import (
    Command,
    Event,
    Round,
    Tournament,
    decide,
    evolve,
    opened,
)
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, StageSystem, TournamentFormat

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
KIM: Attribution = {"by": "Kim", "at": NOON, "why": "as the referee saw it"}
EVENING = TournamentFormat("Evening", rounds=3, games=1, zero_sum=True, tiebreaks=("points",))
TWO_TABLES = Draw.parse("1: 1 2 3 4 | 2: 5 6 7 8")
FIRST, SECOND = "1 60, 2 -10, 3 -20, 4 -30", "5 6, 6 -1, 7 -2, 8 -3"


class DrawByHand(Command, Attributed):
    """Seats the next round as wished, in one event: so hubs did until 28 November 2026."""

    draw: Draw

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        """One event."""
        return (RoundDrawnByHand(*next_round(state).place, self.draw, **self.attribution),)


class Recorded(Command):
    """An event that no command gives any more, as old hubs recorded it."""

    event: Event

    def decide(self, state: Tournament) -> tuple[Event, ...]:  # noqa: ARG002 -- the base's form
        """The event."""
        return (self.event,)


class Directing:
    """A tournament under way: its state, and all events so far."""

    def __init__(self, form: TournamentFormat, entrants: int = 0) -> None:
        self.start = opened("Test", form)
        self.state: Tournament = self.start
        self.events: list[Event] = []
        for number in range(1, entrants + 1):
            self.give(Enter(Entrant(number, f"Player {number}", seed_rank=number)))

    def give(self, *commands: Command) -> Self:
        """Give commands one after another."""
        for command in commands:
            for event in decide(self.state, command):
                self.events.append(event)
                self.state = evolve(self.state, event)
        return self

    @property
    def round(self) -> Round:
        """The round drawn last."""
        assert self.state.last_round is not None
        return self.state.last_round

    def report(self, table: int, *games: str) -> Self:
        """Report a table's games, each as text."""
        for game, scores in enumerate(games, start=len(self.round.games_of(table)) + 1):
            parsed = GameScores.parse(scores)
            self.give(ReportResult(self.round.number, table, game, parsed))
        return self

    def play_by_hand(self, draw: str, scores: Mapping[int, str]) -> Self:
        """Seat a round by hand, play one game a table, and close it."""
        return self.give(DrawByHand(Draw.parse(draw), **KIM)).play(scores)

    def play(self, scores: Mapping[int, str]) -> Self:
        """Play one game at each table of the round that is drawn, and close it."""
        self.give(StartRound())
        for table, text in scores.items():
            self.report(table, text)
        return self.give(CloseRound())

    def play_each(self, score: Callable[[int, int], int]) -> Self:
        """The same with the score of each entrant in each seat, from 0."""
        scores = {}
        for table in self.round.draw.tables:
            seats = (f"{each} {score(each, at)}" for at, each in enumerate(table.seats))
            scores[table.number] = ", ".join(seats)
        return self.play(scores)

    @property
    def places(self) -> list[tuple[int, int]]:
        """Place and entrant, best first."""
        return [(row.place, row.entrant) for row in standings_of(self.state).rows]


class Flowing(Directing):
    """A director with the automatic events after every command, as the hub has it."""

    def give(self, *commands: Command) -> Self:
        """Give commands; rounds close and matches are called."""
        for command in commands:
            super().give(command)
            for event in following_events(self.state):
                self.events.append(event)
                self.state = evolve(self.state, event)
        return self


def scores(text: str) -> GameScores:
    """The scores of a game."""
    return GameScores.parse(text)


def begun(form: TournamentFormat = EVENING) -> Directing:
    """Eight players at two tables, round 1 under way."""
    return Directing(form, 8).give(DrawByHand(TWO_TABLES, **KIM), StartRound())


def one_round(form: TournamentFormat = EVENING) -> Directing:
    """The same after round 1."""
    return begun(form).report(1, FIRST).report(2, SECOND).give(CloseRound())


def refusal(state: Tournament, command: Command) -> str:
    """Why a command is refused; fails where it is not."""
    try:
        decide(state, command)
    except CommandRefusedError as error:
        return str(error)
    raise AssertionError(f"{command} was not refused")


def some_format(chance: Random) -> TournamentFormat:
    """One of the presets, short enough for a test, with some settings changed."""
    form = FORMATS[chance.choice(sorted(FORMATS))]
    stages = tuple(replace(stage, games=1) for stage in form.stages)
    if stages and chance.random() < 0.5:
        out = chance.choice(get_args(StageSystem)[1:])  # the knockouts
        stages = (*stages[:-1], replace(stages[-1], system=out))
    size = chance.randint(2, 6) if form.system == "tables" else form.table_size
    return replace(
        form,
        table_size=size,
        smallest_table=max(size // 2, min(form.smallest_table, 2)),
        rounds=chance.randint(1, 3),
        meetings=min(form.meetings, 2),
        counted=min(form.counted, 2),
        games=chance.choice((1, 1, 2)),
        most_lost=chance.choice((0, 0, 25)),
        winner_bonus=chance.choice((0, 0, 7)),
        bye=chance.randint(0, 3),
        missed_round=chance.randint(-5, 0),
        no_show=-5,
        stages=stages,
        third_place="knockout" in {form.system, *(each.system for each in stages)}
        and chance.random() < 0.5,
    )


def some_scores(
    form: TournamentFormat, seats: Iterable[int], chance: Random, *, decided: bool
) -> GameScores:
    """Scores that a table might report; `decided` has nobody share the top."""
    seats = tuple(seats)
    absent = {chance.choice(seats)} if len(seats) > 2 and chance.random() < 0.1 else set()
    there = [seat for seat in seats if seat not in absent]
    figures = [chance.randint(0, 9) * 5 for _ in there]
    if decided:
        figures[chance.randrange(len(there))] = 100
    if form.zero_sum:
        figures = [-figure for figure in figures]
        figures[chance.randrange(len(there))] -= sum(figures)
    scores = [Score(seat, figure) for seat, figure in zip(there, figures, strict=True)]
    return GameScores((*scores, *(Score(seat, fate="no-show") for seat in sorted(absent))))


class Evening(Directing):
    """An event played by chance: entries, drop-outs, disputes, corrections, cuts."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        form = some_format(self.chance)
        super().__init__(form, self.chance.randint(8, 13))
        self.late = 100

    def play_on(self) -> Evening:
        """Play to the end, or until nothing more can be drawn."""
        for number in range(30):
            if not self._next(number):
                break
        return self

    def _next(self, number: int) -> bool:
        if self.state.format.system == "blind":
            return self._solo()
        try:
            self.draw(number)
        except CommandRefusedError:
            return self._cut()
        self.give(StartRound())
        self.play_round()
        self.give(CloseRound())
        self._come_and_go()
        return True

    def draw(self, seed: int) -> None:
        """Draw the next round; at tables mostly by hand, since the search for strangers is slow."""
        state = self.state
        if state.format.system != "tables" or state.stage or self.chance.random() < 0.1:
            self.give(DrawRound(seed))
            return
        there = list(state.present)
        self.chance.shuffle(there)
        sizes = seats_for(state.format, len(there))
        seats = [tuple(there.pop() for _ in range(size)) for size in sizes]
        tables = (TableSeats(number, each) for number, each in enumerate(seats, start=1))
        self.give(DrawByHand(Draw(tuple(tables), tuple(there)), **KIM))

    def _cut(self) -> bool:
        for command in (Cut(), DrawLot(5), Cut()):
            try:
                self.give(command)
            except CommandRefusedError:
                continue
            if isinstance(command, Cut):
                return True
        self.give(Finish())
        return False

    def _solo(self) -> bool:
        entrant = self.chance.choice(self.state.present)
        self.give(SubmitScore(entrant, self.chance.randint(5, 400)))
        return True

    def play_round(self) -> None:
        """Report all games of the round, and correct a result of this one or another, at times."""
        self.play_results()
        if self.state.stage_format.system not in KNOCKOUTS and self.chance.random() < 0.3:
            self._correct()

    def play_results(self) -> None:
        """Report all games of the round, some disputed and settled, others signed."""
        played = self.round
        for table in played.draw.tables:
            game = 1
            while self._goes_on(table.number, len(table.seats)):
                self._report(played.number, table.number, game, table.seats)
                game += 1

    def _goes_on(self, table: int, seats: int) -> bool:
        games = self.round.games_of(table)
        if not is_complete(self.state.stage_format, seats, self.round.games, games):
            return True
        form = self.state.stage_format
        return form.system in KNOCKOUTS and len(winners(form, games)) > 1

    def _report(self, number: int, table: int, game: int, seats: tuple[int, ...]) -> None:
        decided = self.state.stage_format.system in KNOCKOUTS
        scores = some_scores(self.state.format, seats, self.chance, decided=decided)
        self.give(ReportResult(number, table, game, scores))
        signer = next(each.entrant for each in scores if each.fate == "played")
        if self.chance.random() < 0.2:
            self.give(Dispute(number, table, game, signer, "miscounted"))
            self.give(Settle(number, table, game, scores, **KIM))
        else:
            self.give(Sign(number, table, game, signer))

    def _correct(self) -> None:
        played = self.chance.choice(self.state.rounds)
        (table, game), _ = self.chance.choice(
            sorted(played.results.items(), key=lambda each: each[0])
        )
        seats = played.table(table)
        assert seats is not None
        scores = some_scores(self.state.format, seats.seats, self.chance, decided=False)
        command = CorrectResult(played.number, table, game, scores, **KIM)
        try:
            self.give(command)
        except CommandRefusedError:
            return

    def _come_and_go(self) -> None:
        """Somebody drops out, comes back or comes late, now and then."""
        commands: list[Command] = []
        if len(self.state.present) > 9:
            commands.append(Withdraw(self.chance.choice(self.state.present), **KIM))
        commands += [Return(number, **KIM) for number in sorted(self.state.away)]
        self.late += 1
        commands.append(EnterLate(Entrant(self.late, f"Late {self.late}"), **KIM))
        for command in commands:
            if self.chance.random() < 0.2:
                try:
                    self.give(command)
                except CommandRefusedError:
                    continue


def mirrored(entrant: int) -> int:
    """Another entry number for everybody, which turns their order round."""
    return 1000 - entrant


def mirrored_draw(draw: Draw) -> Draw:
    """The same draw of people with other entry numbers."""
    tables = (TableSeats(table.number, tuple(map(mirrored, table.seats))) for table in draw.tables)
    return Draw(tuple(tables), tuple(map(mirrored, draw.byes)))
