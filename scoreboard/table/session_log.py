"""The table's log: one line for each request and its result, in English.

A press that did nothing can be explained from it. The text of a dispute is left out.
"""

from __future__ import annotations

import logging
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.message import Message
from scoreboard.table.button_actions import (
    AnswerRolled,
    AskAgain,
    ButtonAction,
    Cancel,
    Point,
    Record,
    Refuse,
    Reject,
    ShowDoubt,
    SwitchClock,
    TakeBack,
)
from scoreboard.table.pending_acts import Pending
from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import (
    TOO_EARLY,
    TOO_LATE,
    UNCHANGED,
    Asked,
    BothButtonsHeld,
    Chosen,
    Corrected,
    DeviceExpected,
    DieCorrected,
    GameAbandoned,
    GameDeleted,
    GameOpened,
    GameResumed,
    GameTakenBack,
    HealthChanged,
    KeepMarked,
    PieceCorrected,
    PlayerDeleted,
    Pressed,
    Proposed,
    ReadAgain,
    Reply,
    ResultDisputed,
    ResultEntered,
    ResultSigned,
    StepsUndone,
    TableStatus,
    TableStatusChanged,
    Ticked,
    TournamentGameBegun,
    TournamentUpdated,
    TrayCalibrated,
    Unasked,
)
from scoreboard.table.tournament_participation import Begin

LOG: Final = logging.getLogger(__name__)
NOTHING_DONE: Final = (
    (TOO_EARLY, "too early: what the button means had changed less than 0.3 s before"),
    (TOO_LATE, "stale: the table has changed since the page that sent it was shown"),
    (UNCHANGED, "nothing to do: it changes nothing here"),
)
LONGEST_FILLING: Final = 300  # characters; all tiles of a table have more, and stand in the record


def log_request(
    request: Asked,
    reply: Reply,
    game_id: str | None,
    *,
    meant: ButtonAction | None = None,
    error: Exception | None = None,
) -> None:
    """Log a request and its result.

    `meant` is the meaning of the pressed button, `error` the exception it raised.
    """
    if LOG.isEnabledFor(logging.INFO):
        LOG.info(
            "%s, game %s: %s", _asked(request), game_id or "none", _outcome(reply, meant, error)
        )


def log_unasked(request: Unasked, reply: Reply, pending: Pending) -> None:
    """Log an input from the camera, the clock or the tournament, and its effect."""
    unchanged = reply == UNCHANGED
    match request:
        case Proposed(proposal):
            became = "not offered" if pending.waits is None else "waits to be confirmed"
            LOG.info(
                "reading %s: %s", reading_text(proposal), "nothing new" if unchanged else became
            )
        case HealthChanged(health) if not unchanged:
            seen = "nobody looks" if health is None else health.light.value
            LOG.info(
                ": ".join(filter(None, (f"view {seen}", _joined(health.reasons if health else ()))))
            )
        case TableStatusChanged(status, cause) if not unchanged:
            level = logging.INFO if status is TableStatus.LOST else logging.DEBUG
            LOG.log(level, "camera %s%s", status.value, "" if cause is None else f": {cause}")
        case TrayCalibrated(known):
            LOG.info("tray %s", "calibrated" if known else "no longer calibrated")
        case TournamentUpdated() | Ticked() if not unchanged:
            LOG.debug("%s: %s", type(request).__name__, _outcome(reply, None, None))
        case _:
            pass


def reading_text(proposal: Proposal) -> str:
    """The camera's reading, as `13356 (confidence 0.98, picture 7; doubts: ...)`."""
    faces = "".join("?" if die.face is None else str(die.face) for die in proposal.sightings)
    pieces = " ".join(piece.label for piece in proposal.pieces)
    values = " ".join(filter(None, (faces, pieces))) or "nothing"
    doubts = f"; doubts: {_joined(proposal.doubts)}" if proposal.doubts else ""
    return f"{values} (confidence {proposal.confidence:.2f}, picture {proposal.frame}{doubts})"


def _outcome(reply: Reply, meant: ButtonAction | None, error: Exception | None) -> str:
    """The result of a request, with the reason if nothing was done."""
    if error is not None:
        rule = f" {error.rule}" if isinstance(error, RuleViolationError) else ""
        return f"{reply.verdict} ({type(error).__name__}{rule}): {error}"
    for known, words in NOTHING_DONE:
        if reply == known:
            return words
    if isinstance(meant, Refuse):
        return f"nothing to do: {meant.why}"
    if reply.verdict == "refused":
        return f"refused: {reply.notice}"
    return f"done, {_meaning(meant)}" if meant is not None else reply.verdict


def _meaning(action: ButtonAction) -> str:  # noqa: PLR0911 -- one a member
    match action:
        case Record(_, label) | Point(_, label) | SwitchClock(label) | Begin(_, label):
            return str(label)
        case TakeBack(_, label):
            return f"take back {label}"
        case ShowDoubt(doubts):
            return f"asked: {_joined(doubts)}"
        case AskAgain(key, question):
            return f"asked about {key}: {question}"
        case Cancel():
            return "the question is withdrawn"
        case AnswerRolled(rolled):
            return "the dice were rolled" if rolled else "the dice were not rolled"
        case Reject():
            return "the reading is rejected"
        case Refuse(why):
            return str(why)


def _asked(request: Asked) -> str:  # noqa: C901, PLR0911, PLR0912 -- one a member
    match request:
        case Pressed(action, _, None):
            return f"press {action.name} (button)"
        case Pressed(action):
            return f"press {action.name} (page)"
        case BothButtonsHeld():
            return "KEEP and REROLL held (button)"
        case DeviceExpected():
            return "KEEP and REROLL held on: a device is expected (button)"
        case Chosen(key, _, None):
            return f"choose {key}"
        case Chosen(key, _, filling):
            return f"choose {key} with {str(filling)[:LONGEST_FILLING]}"
        case Corrected(roll):
            return f"enter {roll}"
        case DieCorrected(die, face):
            return f"die {'missed' if die is None else die + 1} is {face or 'none'}"
        case PieceCorrected(piece, label):
            return f"piece {piece + 1} is {label or 'none'}"
        case ReadAgain():
            return "read again"
        case KeepMarked(die, kept):
            return f"die {die + 1} {'kept' if kept else 'not kept'}"
        case GameOpened(game, players):
            return f"open {game} for {len(players)}"
        case GameResumed(game_id):
            return f"resume {game_id}"
        case GameDeleted(game_id, for_good):
            return f"delete {game_id}{' for good' if for_good else ''}"
        case GameTakenBack(game_id):
            return f"take {game_id} back"
        case PlayerDeleted():  # without the names: they shall be gone
            return "delete a player"
        case GameAbandoned():
            return "put the game away"
        case StepsUndone(step):
            return f"undo all steps after {step}"
        case TournamentGameBegun(game_id):
            return f"begin {game_id} of the event"
        case ResultSigned(game_id, entrants):
            return f"sign the result of {game_id} for {', '.join(map(str, entrants))}"
        case ResultEntered(game_id):
            return f"enter the result of {game_id}"
        case ResultDisputed(game_id, entrant):
            return f"dispute the result of {game_id} by {entrant}"


def _joined(sentences: tuple[Message, ...]) -> str:
    return " ".join(map(str, sentences))
