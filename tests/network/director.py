"""Who directs the event over the hub's own pages, over a good way, and never loses the thread."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.tournament_format import TournamentFormat
from tests.network.quick_games import Slot, scores_at
from tests.patience import PATIENCE_SECONDS
from tests.web.forms import seen
from tests.web.whole_event import whole_event
from web.hub.format_form import filled

PASSWORD: Final = "four plain small words"  # noqa: S105 -- of an account that lives in a test
SET_UP: Final = re.compile(r"/set-up/(\S+)")
CODE: Final = re.compile(r"<code class=\"code\">([^<]+)<")
AGREED: Final = frozenset({"signed", "settled"})
Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: so many players, in rounds of so many games; each round has its seed."""

    players: int
    rounds: int
    games: int
    title: str = "Winter Open"

    @property
    def form(self) -> TournamentFormat:
        return replace(FORMATS["club-evening"], rounds=self.rounds, games=self.games)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"Player {number}" for number in range(1, self.players + 1))

    @staticmethod
    def seed(number: int) -> int:
        """What round `number` is drawn from."""
        return 1000 + number


class Director:
    """A browser without scripts at the hub that listens on `port`."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.event = ""
        # the hub is on this machine: a proxy for the wide world would only stand between
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()), ProxyHandler({}))

    def set_up(self, told: str, plan: Plan) -> None:
        """Become the director by what the hub told at its start, and enter everybody."""
        found = SET_UP.search(told)
        assert found is not None, told
        self.post(f"/set-up/{found[1]}", name="Dana", password=PASSWORD)
        fields = {**filled(plan.form), "title": plan.title, "preset": "club-evening"}
        page = self.post("/new", **seen(self.get("/new")), **fields)
        path = re.search(r"/e/([a-z0-9-]+)/entries", page)
        assert path is not None, page
        self.event = path[1]
        for name in plan.names:
            self.post(f"/e/{self.event}/entries", name=name)

    def codes(self, tables: int) -> tuple[str, ...]:
        page = self.post(f"/e/{self.event}/tables/codes", first="1", last=str(tables))
        found = tuple(CODE.findall(page))
        assert len(found) == tables
        return found

    def snapshot(self) -> Document:
        return whole_event(self.export())

    def export(self) -> str:
        return self.get(f"/e/{self.event}/export/event.jsonl")

    def step(self, plan: Plan) -> Document:
        """Do the next thing that is to be done, if anything is; answers what was found before."""
        found = self.snapshot()
        rounds = found["rounds"]
        last = rounds[-1] if rounds else {"phase": "closed"}
        if disputed := next(disputes(found), None):
            self._settle(disputed, found)
        elif last["phase"] == "drawn":
            self._post_event("rounds/start")
        elif last["phase"] == "running" and is_agreed(found, plan):
            self._post_event("rounds/close")
        elif last["phase"] == "closed" and len(rounds) < plan.rounds:
            self._post_event("rounds/draw", seed=str(plan.seed(len(rounds) + 1)))
        elif last["phase"] == "closed" and not found["finished"]:
            self._post_event("finish")
        return found

    def _settle(self, slot: Slot, found: Document) -> None:
        number, table, game = slot
        seats = found["rounds"][number - 1]["tables"][str(table)]
        scores = zip(seats, scores_at(slot, len(seats)), strict=True)
        fields = {f"{game}-score-{seat}": str(score) for seat, score in scores}
        path = f"rounds/{number}/tables/{table}"
        self._post_event(path, why="counted again", **fields)

    def _post_event(self, path: str, **fields: str) -> None:
        page = self.get(f"/e/{self.event}/desk")
        self.post(f"/e/{self.event}/{path}", **seen(page), **fields)

    def get(self, path: str) -> str:
        return self._ask(Request(f"http://127.0.0.1:{self.port}{path}"))

    def post(self, path: str, **fields: str) -> str:
        origin = f"http://127.0.0.1:{self.port}"
        data = urlencode(fields).encode()
        return self._ask(Request(f"{origin}{path}", data, {"Origin": origin}))  # noqa: S310 -- as above

    def _ask(self, request: Request) -> str:
        with self._opener.open(request, timeout=PATIENCE_SECONDS) as answer:
            text: str = answer.read().decode()
            return text


def disputes(found: Document) -> Iterator[Slot]:
    """The results that wait for the referee."""
    return (slot for slot, state in states(found).items() if state == "disputed")


def states(found: Document) -> dict[Slot, str]:
    """How it stands with every result."""
    rows = found["results"]
    return {(row["round"], row["table"], row["game"]): row["state"] for row in rows}


def is_agreed(found: Document, plan: Plan) -> bool:
    """Whether every game of the last round is over, and everybody agrees to its result."""
    last = found["rounds"][-1]
    given = [state for slot, state in states(found).items() if slot[0] == last["round"]]
    return len(given) == plan.games * len(last["tables"]) and set(given) <= AGREED
