"""What the pages say of a table, and of who did what, as its device tells it."""

from __future__ import annotations

import re

from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.protocol.hub_update import JoinRequest
from scoreboard.tournament.protocol.items import Delivery
from tests.scoreboard.tournament.hub.devices import quick_game
from tests.scoreboard.tournament.hub.halls import token_of
from tests.web.hub.house import Hall

MARK = re.compile(r'<span class="mark">([^<]*)</span>')
TABLE_STATE = re.compile(r'<span class="table-state">([^<·]*) ·')


def test_a_table_whose_device_plays_is_under_way() -> None:
    """Nothing is in, but its device tells of a turn; the other table has no device."""
    hall = Hall()
    event = hall.event()
    snapshot = hall.give(event, DrawRound(1), StartRound())
    director = hall.browser("director")
    code = hall.hub.admission.offer_code(event, 1)
    hall.hub.table_api.join(JoinRequest(code, "Table 1", token_of(1)))
    assert TABLE_STATE.findall(director.get(f"/e/{event}/desk").text) == ["not begun"] * 2
    seats = snapshot.state.rounds[0].draw.tables[0].seats
    begun = quick_game(seats, "60 -10 -20 -30")[:1]
    hall.hub.table_api.deliver(token_of(1), Delivery("g1", begun))
    assert TABLE_STATE.findall(director.get(f"/e/{event}/desk").text) == ["under way", "not begun"]
    table = director.get(f"/e/{event}/rounds/1/tables/1").text
    assert MARK.findall(table) == ["under way"]


def test_the_annals_say_in_the_reader_s_language_who_did_it() -> None:
    """A director by name, and the table whose device told a result."""
    hall = Hall()
    event = hall.event()
    snapshot = hall.give(event, DrawRound(1), StartRound())
    code = hall.hub.admission.offer_code(event, 1)
    hall.hub.table_api.join(JoinRequest(code, "Table 1", token_of(1)))
    seats = snapshot.state.rounds[0].draw.tables[0].seats
    game = quick_game(seats, "60 -10 -20 -30")
    hall.hub.table_api.deliver(token_of(1), Delivery("g1", game))
    annals = hall.browser("director").get(f"/e/{event}/annals", **{"Accept-Language": "ja"}).text
    assert MARK.findall(annals)[:2] == ["テーブル1", "運営 Dana"]
