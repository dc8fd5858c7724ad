"""The table's log: one line for each request and its result, in English.

A press that did nothing can be explained from it. The text of a dispute is left out.
"""

from __future__ import annotations

import logging
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.message import Message
from scoreboard.table import button_actions, requests
from scoreboard.table.pending_acts import Pending
from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import TOO_EARLY, TOO_LATE, UNCHANGED, Answer

LOG: Final = logging.getLogger(__name__)
NOTHING_DONE: Final = {
    TOO_EARLY: "too early: what the button means had changed less than 0.3 s before",
    TOO_LATE: "stale: the table has changed since the page that sent it was shown",
    UNCHANGED: "nothing to do: it changes nothing here",
}
LONGEST_FILLING: Final = 300  # characters; all tiles of a table have more, and stand in the record


def log_request(
    request: requests.Asked,
    answer: Answer,
    game_id: str | None,
    *,
    meant: button_actions.ButtonAction | None = None,
    error: Exception | None = None,
) -> None:
    """Log a request: the meaning of a pressed button, the result, and what it raised."""
    if LOG.isEnabledFor(logging.INFO):
        LOG.info(
            "%s, game %s: %s", _asked(request), game_id or "none", _outcome(answer, meant, error)
        )


def log_unasked(request: requests.Unasked, answer: Answer, pending: Pending) -> None:
    """Log an input from the camera, the clock or the tournament, and its effect."""
    unchanged = answer == UNCHANGED
    match request:
        case requests.Proposed(proposal):
            became = "not offered" if pending.waits is None else "waits to be confirmed"
            LOG.info(
                "reading %s: %s", reading_text(proposal), "nothing new" if unchanged else became
            )
        case requests.HealthChanged(health) if not unchanged:
            seen = "nobody looks" if health is None else health.light.value
            LOG.info(
                ": ".join(filter(None, (f"view {seen}", _joined(health.reasons if health else ()))))
            )
        case requests.TableStatusChanged(status, cause) if not unchanged:
            level = logging.INFO if status is requests.TableStatus.LOST else logging.DEBUG
            LOG.log(level, "camera %s%s", status.value, "" if cause is None else f": {cause}")
        case requests.TrayCalibrated(known):
            LOG.info("tray %s", "calibrated" if known else "no longer calibrated")
        case requests.TournamentUpdated() | requests.Ticked() if not unchanged:
            LOG.debug("%s: %s", type(request).__name__, _outcome(answer, None, None))


def reading_text(proposal: Proposal) -> str:
    """The camera's reading, as `13356 (confidence 0.98, picture 7; doubts: ...)`."""
    faces = "".join("?" if die.face is None else str(die.face) for die in proposal.sightings)
    pieces = " ".join(piece.label for piece in proposal.pieces)
    values = " ".join(filter(None, (faces, pieces))) or "nothing"
    doubts = f"; doubts: {_joined(proposal.doubts)}" if proposal.doubts else ""
    return f"{values} (confidence {proposal.confidence:.2f}, picture {proposal.frame}{doubts})"


def _outcome(
    answer: Answer, meant: button_actions.ButtonAction | None, error: Exception | None
) -> str:
    """The result of a request, with the reason if nothing was done."""
    if error is not None:
        rule = f" {error.rule}" if isinstance(error, RuleViolationError) else ""
        return f"{answer.verdict} ({type(error).__name__}{rule}): {error}"
    if answer in NOTHING_DONE:
        return NOTHING_DONE[answer]
    if isinstance(meant, button_actions.Refuse):
        return f"nothing to do: {meant.why}"
    if answer.verdict == "refused":
        return f"refused: {answer.notice}"
    return f"done, {_meaning(meant)}" if meant is not None else answer.verdict


def _meaning(action: button_actions.ButtonAction) -> str:  # noqa: PLR0911 -- one a member
    match action:
        case button_actions.TakeBack(_, label):
            return f"take back {label}"
        case button_actions.ShowDoubt(doubts):
            return f"asked: {_joined(doubts)}"
        case button_actions.AskAgain(key, question):
            return f"asked about {key}: {question}"
        case button_actions.Cancel():
            return "the question is withdrawn"
        case button_actions.AnswerRolled(rolled):
            return "the dice were rolled" if rolled else "the dice were not rolled"
        case button_actions.Reject():
            return "the reading is rejected"
        case _:
            return str(action.label)


def _asked(request: requests.Asked) -> str:  # noqa: C901, PLR0911, PLR0912 -- one a member
    match request:
        case requests.Pressed(action, _, None, radio):
            return f"press {action.name} ({'radio' if radio else 'button'})"
        case requests.Pressed(action):
            return f"press {action.name} (page)"
        case requests.BothButtonsHeld():
            return "KEEP and REROLL held (button)"
        case requests.DeviceExpected():
            return "KEEP and REROLL held on: a device is expected (button)"
        case requests.Chosen(key, _, None):
            return f"choose {key}"
        case requests.Chosen(key, _, filling):
            return f"choose {key} with {str(filling)[:LONGEST_FILLING]}"
        case requests.Corrected(roll):
            return f"enter {roll}"
        case requests.DieCorrected(die, face):
            return f"die {'missed' if die is None else die + 1} is {face or 'none'}"
        case requests.PieceCorrected(piece, label):
            return f"piece {piece + 1} is {label or 'none'}"
        case requests.ReadAgain():
            return "read again"
        case requests.KeepMarked(die, kept):
            return f"die {die + 1} {'kept' if kept else 'not kept'}"
        case requests.GameOpened(game, players):
            return f"open {game} for {len(players)}"
        case requests.GameResumed(game_id):
            return f"resume {game_id}"
        case requests.GameDeleted(game_id, for_good):
            return f"delete {game_id}{' for good' if for_good else ''}"
        case requests.GameTakenBack(game_id):
            return f"take {game_id} back"
        case requests.PlayerNameChanged():
            return "rename a player"
        case requests.PlayerDeleted():  # without the names: they shall be gone
            return "delete a player"
        case requests.GameAbandoned():
            return "put the game away"
        case requests.PlayerJoined():
            return "a player joins"
        case requests.StepsUndone(step):
            return f"undo all steps after {step}"
        case requests.TournamentGameBegun(game_id):
            return f"begin {game_id} of the event"
        case requests.ResultSigned(game_id, entrants):
            return f"sign the result of {game_id} for {', '.join(map(str, entrants))}"
        case requests.ResultEntered(game_id):
            return f"enter the result of {game_id}"
        case requests.ResultDisputed(game_id, entrant):
            return f"dispute the result of {game_id} by {entrant}"


def _joined(sentences: tuple[Message, ...]) -> str:
    return " ".join(map(str, sentences))
