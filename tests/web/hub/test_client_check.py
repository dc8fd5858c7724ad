"""`tablescore hub --try`: a program's author reads what is wrong with what it sends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest

from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.hub.prepared_event import now
from web.hub.app import create_hub_app
from web.hub.client_check import check_clients
from web.hub.hub import HubSettings
from web.hub.startup import hub_of, secret_of

PAGE: Final = Path(__file__).parents[3] / "docs" / "reference" / "hub-protocol-game.json"
RECORDED: Final[dict[str, Any]] = json.loads(PAGE.read_text(encoding="utf-8"))
ITEMS: Final[list[dict[str, Any]]] = RECORDED["delivery"]["items"]
TOKEN: Final = "made-up-by-a-table-of-somebody-else-0123456789"  # noqa: S105 -- of a table in a test


class Trial:
    """A hub that checks clients, and what it reported since it was last asked."""

    def __init__(self) -> None:
        self.store = temporary_store()
        hub = hub_of(self.store, HubSettings("http://localhost", frozenset({"localhost"})), now)
        app = create_hub_app(hub, secret_of(self.store))
        self.lines: list[str] = []
        check_clients(hub, app, self.lines.append)
        self.client = app.test_client()
        self.code = self.lines.pop().split()[1]

    def sends(self, path: str, document: object) -> tuple[Any, list[str]]:
        """The answer to a message, and the faults that were reported of it."""
        answer = self.client.post(
            f"/api/v1/{path}", json=document, headers={"Authorization": f"Bearer {TOKEN}"}
        )
        told = [each.strip() for each in self.lines if each.startswith("  wrong")]
        self.lines.clear()
        return answer.get_json(silent=True), [each.removeprefix("wrong").strip() for each in told]

    def delivers(self, *items: dict[str, Any], game: str = "g1") -> list[str]:
        return self.sends(f"games/{game}/items", {"game_id": game, "items": items})[1]


@pytest.fixture
def trial() -> Iterator[Trial]:
    made = Trial()
    made.sends("join", {"code": made.code, "table": "mine", "token": TOKEN})
    yield made
    made.store.close()


def changed(item: dict[str, Any], **members: object) -> dict[str, Any]:
    """An item whose event has other members."""
    other = deepcopy(item)
    other["body"]["event"].update(members)
    return other


def test_a_program_that_does_as_the_page_says_hears_no_fault(trial: Trial) -> None:
    """The recorded game gets the recorded receipt; an act may come in two deliveries."""
    path = f"games/{RECORDED['delivery']['game_id']}/items"
    assert trial.sends(path, RECORDED["delivery"]) == (RECORDED["receipt"], [])
    for item in ITEMS[:40]:
        again = deepcopy(item)
        if again["body"]["kind"] == "opened":
            again["body"]["number"] = 2
        assert trial.delivers(again, game="g2") == []


def test_each_join_is_followed_by_the_next_code() -> None:
    """So a program that is started again can join again."""
    trial = Trial()
    answer, faults = trial.sends("join", {"code": trial.code, "table": "mine", "colour": "red"})
    assert answer["error"] == "misread"
    assert "`token`" in faults[0]
    asked = {"code": trial.code, "table": "mine", "token": TOKEN, "colour": "red"}
    trial.client.post("/api/v1/join", json=asked)
    _, ignored, code = trial.lines
    assert ignored == "  wrong    the member colour is unknown, and ignored"
    assert code.startswith("  code     ")
    assert trial.code not in code
    trial.store.close()


def test_what_a_hub_keeps_in_silence_is_reported(trial: Trial) -> None:
    """Unknown members and kinds, gaps, other contents, and moves before the opening."""
    assert trial.sends("greed", {})[1] != []
    assert "acknowledgd" in trial.sends("greet", {"games": {}, "acknowledgd": 3})[1][0]
    assert "items 2-3 are missing" in trial.delivers(ITEMS[0], ITEMS[3])[0]
    other = changed(ITEMS[3], player="South")
    assert "items 4 were delivered before" in trial.delivers(other)[-1]
    cheer = {"sequence": 1, "body": {"kind": "cheer"}}
    assert trial.delivers(cheer, game="g2") == ["item 1: the kind “cheer” is unknown, and ignored"]
    unopened = trial.delivers({**ITEMS[1], "sequence": 1}, game="g3")
    assert "Item 1: The game is not opened yet." in unopened[0]
    assert "begin another game id" in unopened[0]
    half = {"sequence": 1, "body": {"kind": "signed"}}
    assert "item 1: " in trial.delivers(half, game="g4")[0]


def test_an_event_against_the_rulebook_is_reported_at_once(trial: Trial) -> None:
    """Not at the end of the game, as the players would read it; and a misspelt one too."""
    at = next(n for n, item in enumerate(ITEMS) if "rule" in item["body"].get("event", {}))
    wrong = changed(ITEMS[at], rule="YZ-99")
    assert "By the rulebook it is" in trial.delivers(*ITEMS[:at], wrong)[0]
    misspelt = changed(ITEMS[1], rol="11111")
    faults = trial.delivers(ITEMS[0], misspelt, game="g2")
    assert "Item 2: An event “start-rolled” has a wrong field: rol." in faults[0]


def test_a_result_alone_that_is_no_score_is_reported_and_may_be_replaced(trial: Trial) -> None:
    """Until somebody signs it, as the page promises."""

    def alone(sequence: int, *scores: int) -> dict[str, Any]:
        each = [
            {"entrant": n, "score": score, "fate": "played"} for n, score in enumerate(scores, 1)
        ]
        body = {"kind": "result", "round": 1, "table": 1, "number": 1, "scores": each}
        return {"sequence": sequence, "body": body}

    assert "2000" in trial.delivers(alone(1, 2000, 187))[0]
    assert trial.delivers(alone(2, 200, 187)) == []
    update = trial.client.get(
        "/api/v1/word?after=0", headers={"Authorization": f"Bearer {TOKEN}"}
    ).get_json()
    [result] = update["results"]
    assert (result["phase"], result["scores"]) == ("reported", "1 200, 2 187")
    assert result["replaceable"]
