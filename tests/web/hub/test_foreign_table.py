"""A table written in another language: it knows the page of the protocol, and nothing else."""

from __future__ import annotations

import json
import re
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.hub.house import DIRECTOR, NAMES
from tests.web.hub.prepared_event import now, served
from web.hub.hub import HubSettings
from web.hub.startup import hub_of

PAGE: Final = Path(__file__).parents[3] / "docs" / "reference" / "hub-protocol.md"
TOKEN: Final = "made-up-by-a-table-of-somebody-else-0123456789"  # noqa: S105 -- of a table in a test
Document = dict[str, Any]


class ForeignTable:
    """Speaks what stands on the page: its addresses, and its examples with other values."""

    def __init__(self, hub: str) -> None:
        text = PAGE.read_text(encoding="utf-8")
        found = re.findall(r"<!-- (\w+) -->\n```json\n(.*?)```", text, re.DOTALL)
        self.examples: dict[str, Document] = {name: json.loads(text) for name, text in found}
        self.addresses = dict(re.findall(r"^\| `POST (\S+)` \| \[(\w+)\]", text, re.MULTILINE))
        self.update_path = re.findall(r"`GET (\S+)`", text)[0]
        self.hub = hub

    def like(self, name: str, **values: Any) -> Document:
        """A document as the example is, with values of its own."""
        assert values.keys() <= self.examples[name].keys()
        return self.examples[name] | values

    def send(self, name: str, document: Document) -> Document:
        """Send a message to its address."""
        path = next(path for path, asked in self.addresses.items() if asked == name)
        return self._asked(path.replace("GAME", document.get("game_id", "")), document)

    def update(self) -> Document:
        """The hub's update."""
        return self._asked(self.update_path.replace("=N", "=0").replace("=S", "=0"))

    def _asked(self, path: str, document: Document | None = None) -> Document:
        body = None if document is None else json.dumps(document).encode()
        headers = {"Authorization": f"Bearer {TOKEN}"}
        asked = urllib.request.Request(f"{self.hub}{path}", body, headers)  # noqa: S310 -- our own
        with urllib.request.urlopen(asked, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
            received: Document = json.loads(answer.read())
        return received


def board(address: str, event: str) -> str:
    """What the board shows."""
    with urllib.request.urlopen(f"{address}/e/{event}/board", timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
        return str(answer.read().decode())


def test_a_table_in_any_language_takes_part_with_results_alone() -> None:
    """It joins by its code, greets, tells each game's result and who signs; the board shows it."""
    with closing(temporary_store()) as store, served(store) as address:
        hub = hub_of(store, HubSettings(address, frozenset({"127.0.0.1"})), now)
        event = hub.service.open("Winter evening", FORMATS["club-evening"], DIRECTOR)
        entries = [Enter(Entrant(number, name)) for number, name in enumerate(NAMES[:4], start=1)]
        hub.service.give_all(event, (*entries, DrawRound(1), StartRound()), DIRECTOR)
        table = ForeignTable(address)

        code = hub.admission.offer_code(event, 1)
        joined = table.send("JoinRequest", table.like("JoinRequest", code=code, token=TOKEN))
        assert joined.keys() == table.examples["Joined"].keys()
        update = table.send("Greeting", table.like("Greeting", games={}, heard=0))
        assert update.keys() == table.examples["HubUpdate"].keys()

        while update["sitting"]["game"] <= update["sitting"]["games"]:
            sitting = update["sitting"]
            entrants = [seat["entrant"] for seat in sitting["seats"]]
            example = table.examples["result"]["scores"][0]
            scores = [
                example | {"entrant": entrant, "score": score}
                for entrant, score in zip(entrants, (60, -10, -20, -30), strict=True)
            ]
            place = {"round": sitting["round"], "table": joined["place"]}
            contents = [
                table.like("result", **place, number=sitting["game"], scores=scores),
                *(table.like("signed", entrant=entrant) for entrant in entrants),
            ]
            items = [{"sequence": number, "body": each} for number, each in enumerate(contents, 1)]
            game_id = f"game-{sitting['game']}"
            receipt = table.send("Delivery", table.like("Delivery", game_id=game_id, items=items))
            assert receipt["held"] == {"through": len(items), "gaps": []}
            update = table.update()

        assert {result["phase"] for result in update["results"]} == {"signed"}
        hub.service.give(event, CloseRound(), DIRECTOR)
        first = update["sitting"]["seats"][0]["name"]
        won = 60 * len(update["results"])
        shown = re.sub(r"<[^>]*>", " ", board(address, event))
        assert re.search(rf"\b1\s+{first}\b.*\b{won}\b", shown), shown


def test_the_page_has_an_address_for_every_message() -> None:
    """Whoever reads it in the order in which it stands need not guess one."""
    table = ForeignTable("")
    assert set(table.addresses.values()) == {"JoinRequest", "Challenge", "Greeting", "Delivery"}
