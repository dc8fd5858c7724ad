"""Results: a game is reported, taken back or corrected; in a blind one a score is handed in."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from scoreboard.message import Message, listed, message
from scoreboard.tournament.model.authority import ANYONE, OFFICIALS, Attributed, refused
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.scores import GameResult, GameScores, Score
from scoreboard.tournament.model.scoring import awarded, closed_round, is_complete, winners
from scoreboard.tournament.model.tournament import (
    Command,
    Event,
    Reported,
    Round,
    SoloScore,
    Tournament,
)
from scoreboard.tournament.model.tournament_format import KNOCKOUTS


class GameCommand(Command):
    """A command about a game at a table; games count from 1 in a round."""

    roles = ANYONE

    round: int
    table: int
    game: int

    def place(self, state: Tournament) -> tuple[Round, TableSeats]:
        """The round and the table. Raises CommandRefusedError if there is none."""
        if not 1 <= self.round <= len(state.rounds):
            raise refused("Round {round} is not drawn.", round=self.round)
        played = state.rounds[self.round - 1]
        table = played.table(self.table)
        if table is None:
            raise refused("Round {round} has no table {table}.", round=self.round, table=self.table)
        return played, table

    def reported(self, state: Tournament) -> Reported:
        """The result of the game. Raises CommandRefusedError if there is none."""
        played, _ = self.place(state)
        reported = played.results.get((self.table, self.game))
        if reported is None:
            raise refused(
                "Game {game} at table {table} has no result yet: report it first.",
                game=self.game,
                table=self.table,
            )
        return reported

    def awarded(self, state: Tournament, scores: GameScores) -> GameResult:
        """What these scores earn at the table. Raises CommandRefusedError."""
        played, table = self.place(state)
        return awarded(state.format.in_stage(played.stage), table, scores)


class GameEvent(Event):
    """An event of a game at a table."""

    round: int
    table: int
    game: int

    @abstractmethod
    def sentence(self, state: Tournament) -> Message:
        """The sentence, after the words that name the game."""

    def describe(self, state: Tournament) -> Message:
        at = message(
            "Round {round}, table {table}, game {game}",
            round=self.round,
            table=self.table,
            game=self.game,
        )
        return message("{at}: {told}", at=at, told=self.sentence(state))

    def reported(self, state: Tournament) -> Reported:
        return state.rounds[self.round - 1].results[self.table, self.game]

    def with_result(self, state: Tournament, reported: Reported) -> Tournament:
        """The state with this result; a closed round's awards are recomputed."""
        was, at = state.rounds[self.round - 1], (self.table, self.game)
        changed = replace(was, results={**was.results, at: reported})
        if was.phase == "closed" and _counted(was.results.get(at)) != _counted(reported):
            changed = closed_round(state.format, changed)
        return state.with_round(changed)


def _counted(reported: Reported | None) -> GameResult | None:
    """The part of a result that affects the standings: signatures do not."""
    return None if reported is None or reported.objection else reported.result


def _marked(state: Tournament, later: Round, corrected: int, seats: set[int]) -> Round:
    """The round, flagged if its draw used the corrected result (hand-made draws always are)."""
    form, called = state.format, state.format.in_stage(later.stage).calls_matches
    called = called and later.stage == state.rounds[corrected - 1].stage
    apart = called and not seats.intersection(later.draw.entrants)
    if apart or later.number <= corrected or corrected in later.corrected_before:
        return later
    by_standing = bool(form.by_standing_from) and later.number >= form.by_standing_from
    from_results = form.system in {"swiss", *KNOCKOUTS}
    if not (later.stage > 0 or later.seed is None or by_standing or from_results):
        return later
    return replace(later, corrected_before=tuple(sorted((*later.corrected_before, corrected))))


def scores_message(state: Tournament, scores: GameScores) -> Message:
    """The scores of a game, each with its name."""
    return listed(_score_message(state, score) for score in scores)


def _score_message(state: Tournament, score: Score) -> Message:
    name = state.named(score.entrant)
    match score.fate:
        case "forfeit":
            return message("{name} gave up", name=name)
        case "no-show":
            return message("{name} did not come", name=name)
    return message("{name} {score}", name=name, score=score.score)


class ReportResult(GameCommand):
    """A game at a table is over: the scores of everyone there."""

    scores: GameScores

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        played, table = self.place(state)
        if played.phase != "running":
            raise refused("Round {round} is not being played.", round=played.number)
        if (self.table, self.game) in played.results:
            raise refused(
                "Game {game} at table {table} is reported already: dispute it, or correct it.",
                game=self.game,
                table=self.table,
            )
        self._require_next(state, played, table)
        result = self.awarded(state, self.scores)
        return (ResultReported(self.round, self.table, self.game, result),)

    def _require_next(self, state: Tournament, played: Round, table: TableSeats) -> None:
        """Games come in order; more than planned only in a drawn knockout match."""
        reported = sum(at == table.number for at, _ in played.results)
        if self.game != reported + 1:
            raise refused(
                "Game {game} cannot be reported before game {next} at table {table}.",
                game=self.game,
                next=reported + 1,
                table=table.number,
            )
        games, form = played.games_of(table.number), state.format.in_stage(played.stage)
        drawn = form.system in KNOCKOUTS and bool(games) and len(winners(form, games)) > 1
        if is_complete(form, len(table.seats), played.games, games) and not drawn:
            raise refused(
                "Table {table} has played all its games of this round.", table=table.number
            )


class ResultReported(GameEvent):
    """A game ended with these scores, awarded as the format said."""

    result: GameResult

    def apply(self, state: Tournament) -> Tournament:
        return self.with_result(state, Reported(self.result))

    def sentence(self, state: Tournament) -> Message:
        return message("{scores}.", scores=scores_message(state, self.result.scores))


class TakeResultBack(GameCommand):
    """The table continues its last game, which was reported and is unsigned."""

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        reported = self.reported(state)
        played, _ = self.place(state)
        if played.phase != "running" or not reported.is_replaceable:
            raise refused("This result is agreed on: have the referee correct it instead.")
        if (self.table, self.game + 1) in played.results:
            raise refused(
                "Game {next} at table {table} is reported too: have the referee correct this one.",
                next=self.game + 1,
                table=self.table,
            )
        return (ResultTakenBack(self.round, self.table, self.game),)


class ResultTakenBack(GameEvent):
    """An unsigned result was taken back: the table went on with its game."""

    def apply(self, state: Tournament) -> Tournament:
        was, at = state.rounds[self.round - 1], (self.table, self.game)
        left = {each: reported for each, reported in was.results.items() if each != at}
        return state.with_round(replace(was, results=left))

    def sentence(self, state: Tournament) -> Message:
        return message("the table took the result back.")


class CorrectResult(GameCommand, Attributed):
    """Replace a result, of any round."""

    roles = OFFICIALS

    scores: GameScores

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        reported = self.reported(state)
        if reported.phase == "disputed":
            raise refused("This result is disputed: settle it instead.")
        played, table = self.place(state)
        form = state.format.in_stage(played.stage)
        result, was = self.awarded(state, self.scores), reported.result
        if result == was:
            raise refused("The result stands so already: there is nothing to correct.")
        games = {game: one.result for (at, game), one in played.results.items() if at == self.table}
        called = [
            each.number
            for later in state.rounds[self.round :]
            if later.stage == played.stage
            for each in later.draw.tables
            if set(each.seats).intersection(table.seats) and not later.has_result(each.number)
        ]
        after = {**games, self.game: result}
        turned = winners(form, [*games.values()]) != winners(form, [*after.values()])
        if called and turned and form.calls_matches:
            raise refused("First undo the call to table {table} by this result.", table=called[0])
        return (
            ResultCorrected(self.round, self.table, self.game, was, result, **self.attribution),
        )


class ResultCorrected(GameEvent, Attributed):
    """A result was replaced."""

    was: GameResult
    result: GameResult

    def apply(self, state: Tournament) -> Tournament:
        """The result is settled, and marks later draws, of called matches those of its players."""
        state = self.with_result(state, Reported(self.result, settled=True))
        seats = set(self.result.scores.entrants)
        marked = tuple(_marked(state, each, self.round, seats) for each in state.rounds)
        proposed = state.proposed
        if proposed is not None:
            proposed = replace(proposed, round=_marked(state, proposed.round, self.round, seats))
        return replace(state, rounds=marked, proposed=proposed)

    def sentence(self, state: Tournament) -> Message:
        return message(
            "{scores}, not {was}.",
            scores=scores_message(state, self.result.scores),
            was=scores_message(state, self.was.scores),
        )


class SubmitScore(Command):
    """In a blind tournament: a score played alone is handed in."""

    roles = ANYONE

    entrant: int
    score: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        _require_blind(state)
        if entered(state, self.entrant).number in state.away:
            raise refused("{name} has dropped out.", name=state.names[self.entrant])
        return (ScoreSubmitted(len(state.solo) + 1, self.entrant, self.score),)


class ScoreSubmitted(Event):
    """A score played alone was handed in; `number` counts those of the whole tournament from 1."""

    number: int
    entrant: int
    score: int

    def apply(self, state: Tournament) -> Tournament:
        return replace(state, solo=(*state.solo, SoloScore(self.entrant, self.score)))

    def describe(self, state: Tournament) -> Message:
        name = state.named(self.entrant)
        return message("{name} handed in {score}.", name=name, score=self.score)


class CorrectScore(Command, Attributed):
    """Replace the score with this number, from 1."""

    roles = OFFICIALS

    number: int
    score: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        _require_blind(state)
        if not 1 <= self.number <= len(state.solo):
            raise refused("No score {number} was handed in: look it up.", number=self.number)
        was = state.solo[self.number - 1].score
        if was == self.score:
            raise refused("The score stands so already: there is nothing to correct.")
        return (ScoreCorrected(self.number, was, self.score, **self.attribution),)


class ScoreCorrected(Event, Attributed):
    """A submitted score was replaced."""

    number: int
    was: int
    score: int

    def apply(self, state: Tournament) -> Tournament:
        at = self.number - 1
        corrected = replace(state.solo[at], score=self.score)
        return replace(state, solo=(*state.solo[:at], corrected, *state.solo[at + 1 :]))

    def describe(self, state: Tournament) -> Message:
        return message(
            "Score {number} is {score}, not {was}.",
            number=self.number,
            score=self.score,
            was=self.was,
        )


def _require_blind(state: Tournament) -> None:
    if state.format.system != "blind":
        raise refused(
            "Scores are handed in alone only in a blind event: report the table's result."
        )
