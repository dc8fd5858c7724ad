"""Forms that were not carried out come back as they were filled in; what is odd is asked first."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from scoreboard.tournament.model.disputes import Dispute
from scoreboard.tournament.model.draw import Draw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawByHand, StartRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.protocol.audit_log import AccountRole
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.forms import confirmation
from tests.web.hub.house import Browser, Hall
from tests.web.rights import page_rules

TWO_TABLES = Draw.parse("1: 1 2 3 4 | 2: 5 6 7 8")
# These tell what is wrong on pages of their own, or have nothing that could be filled in.
ELSEWHERE = {
    "doors.enter", "doors.show_code", "doors.make_director", "doors.sign_out", "language.choose",
    "events.create", "events.take_over", "api.join", "api.prove", "api.greet",
    "api.deliver", "api.photo",
}  # fmt: skip


def begun(hall: Hall, *, games: int = 1) -> str:
    """Eight players at two tables, the first round of one game under way."""
    event = hall.event(replace(FORMATS["club-evening"], games=games))
    hall.give(event, DrawByHand(TWO_TABLES, **KIM), StartRound())
    return event


def played(hall: Hall) -> str:
    """The same with the round closed."""
    event = begun(hall)
    hall.give(event, *hall.results(event), CloseRound())
    return event


def filled(page: TestResponse) -> dict[str, str]:
    """What stands in the fields of a page by their id."""
    tags = re.findall(r"<input ([^>]*)>", page.text)
    fields = [dict(re.findall(r'([a-z-]+)="([^"]*)"', tag)) for tag in tags]
    return {each["id"]: html.unescape(each.get("value", "")) for each in fields if "id" in each}


def test_every_form_has_the_page_on_which_it_comes_back(hall: Hall) -> None:
    """A new form names its page, and nobody is shown a page beyond the form's own right."""
    rules = {rule.endpoint: rule for rule in page_rules(hall.app)}
    forms = {name: rule for name, rule in rules.items() if "POST" in (rule.methods or ())}
    assert {name for name, rule in forms.items() if rule.page is None} <= ELSEWHERE
    ranks = ("anyone", "viewer", "player", "table", "referee", "director")
    for form in forms.values():
        if form.page is not None:
            page = rules[form.page]
            assert ranks.index(page.right or "") <= ranks.index(form.right or "")


def test_scores_that_do_not_add_up_come_back(hall: Hall, director: Browser) -> None:
    """All four of them, and who did not come."""
    event = begun(hall)
    form = {"score-1": "30", "score-2": "-5", "score-3": "-10", "score-4": "-16"}
    page = director.post_form(f"/e/{event}/rounds/1/tables/1/games/1", form)
    assert page.status_code == 422
    assert "add up to -1, not to 0" in page.text
    fields = filled(page)
    assert [fields[f"news{seat}"] for seat in (1, 2, 3, 4)] == ["30", "-5", "-10", "-16"]
    form["score-4"], form["fate-4"] = "", "no-show"
    page = director.post_form(f"/e/{event}/rounds/1/tables/1/games/1", form)
    assert '<option value="no-show" selected>' in page.text


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("ten", "Enter a whole number like 52 or -12"),
        ("", "Enter the score of Chen, or choose why"),
    ],
)
def test_the_fault_stands_at_its_field(
    hall: Hall, director: Browser, typed: str, fault: str
) -> None:
    """The field is marked as the wrong one, and says why; nothing is recorded."""
    event = begun(hall)
    form = {"score-1": "30", "score-2": "-5", "score-3": typed, "score-4": "-15"}
    page = director.post_form(f"/e/{event}/rounds/1/tables/1/games/1", form)
    assert page.status_code == 422
    assert 'aria-describedby="news3-fault"' in page.text
    assert f'id="news3-fault">{fault}' in page.text
    assert filled(page)["news3"] == typed
    assert not hall.state(event).rounds[0].results


def test_racks_a_settlement_and_a_correction_come_back(hall: Hall, director: Browser) -> None:
    """Each in its own form, and only there."""
    event = begun(hall, games=2)
    game = f"/e/{event}/rounds/1/tables/1/games/1"
    racks = {f"numbers-{seat}": str(seat - 1) for seat in (1, 2, 3, 4)} | {"from": "racks"}
    page = director.post_form(game, racks | {"numbers-2": "0", "jokers-1": "0", "jokers-2": "0"})
    assert [filled(page)[f"r{seat}"] for seat in (1, 2, 3, 4)] == ["0", "0", "2", "3"]
    assert filled(page)["news1"] == ""
    hall.give(event, hall.results(event)[0])
    wrong = {"score-1": "31", "score-2": "-5", "score-3": "-10", "score-4": "-15", "why": "again"}
    page = director.post_form(f"{game}/correct", wrong)
    assert (filled(page)["g1s1"], filled(page)["why-1"]) == ("31", "again")
    assert filled(page)["news1"] == ""
    hall.give(event, Dispute(1, 1, 1, 2, "no"))
    page = director.post_form(f"{game}/settle", wrong | {"why": ""})
    assert "Say why" in page.text
    assert filled(page)["g1s1"] == "31"


@pytest.mark.parametrize(
    ("path", "form", "expected", "fields"),
    [
        (
            "rounds/merge",
            {"table": "1", "into": "9", "why": "a broken leg"},
            "has no table 9",
            {"m-table": "1", "m-into": "9", "m-why": "a broken leg", "s-table": ""},
        ),
        (
            "rounds/split",
            {"table": "1", "leaving": "Chen", "to": "3", "why": "late"},
            "Enter a number in digits: “Chen” is not one.",
            {"s-table": "1", "s-leaving": "Chen", "s-to": "3", "s-why": "late", "m-why": ""},
        ),
        (
            "rounds/replan",
            {"rounds": "1000", "why": "time is left"},
            "cannot be planned",
            {"p-rounds": "1000", "p-why": "time is left"},
        ),
        (
            "entries",
            {"name": "Anna", "club": "Reds", "seed": "3", "why": "the train"},
            "is entry 1 already",
            {"name": "Anna", "club": "Reds", "seed": "3", "late-why": "the train"},
        ),
        (
            "entries/2/replace",
            {"name": "=Boris", "club": "Reds", "seed": "", "why": "ill"},
            "take it for a formula",
            {"name": "=Boris", "club": "Reds", "seed": "", "why": "ill"},
        ),
    ],
)
def test_what_was_typed_comes_back(
    hall: Hall, path: str, form: dict[str, str], expected: str, fields: dict[str, str]
) -> None:
    """On the page on which it was typed, with the fault in words."""
    event = begun(hall)
    page = hall.browser("director").post_form(f"/e/{event}/{path}", form)
    assert page.status_code == 422
    assert expected in html.unescape(page.text)
    assert fields.items() <= filled(page).items()


def test_a_hall_seated_by_hand_comes_back(hall: Hall, director: Browser) -> None:
    """Every line of it."""
    event = played(hall)
    form = {"draw": "1: 8 7 6 5\r\n2: 1 2 3 33", "why": "as agreed"}
    page = director.post_form(f"/e/{event}/rounds/seats", form)
    assert page.status_code == 422
    assert "1: 8 7 6 5\r\n2: 1 2 3 33</textarea>" in page.text
    assert filled(page)["why"] == "as agreed"


def test_a_page_that_is_gone_leaves_the_fault_alone(hall: Hall, director: Browser) -> None:
    """Somebody seats a round by hand that another has drawn meanwhile."""
    event = begun(hall)
    page = director.post_form(f"/e/{event}/rounds/seats", {"draw": "1: 1 2 3 4", "why": "so"})
    assert page.status_code == 422
    assert "That did not work" in page.text


@pytest.mark.parametrize(("role", "status", "linked"), [("director", 404, 0), (None, 401, 1)])
def test_a_fault_has_a_link_to_sign_in_where_that_is_the_cure(
    hall: Hall, role: AccountRole | None, status: int, linked: int
) -> None:
    """Its page is drawn without asking the store who is signed in."""
    page = hall.browser(role).post("/e/no-such-event/rounds/draw")
    assert (page.status_code, page.text.count('href="/sign-in"')) == (status, linked)


def test_scores_beyond_the_rulebook_are_asked_about_and_may_be_entered(
    hall: Hall, director: Browser
) -> None:
    """Nobody scores 999999 or -50 at Yahtzee; who says so all the same is believed."""
    event = hall.started(FORMATS["yahtzee-evening"], entrants=4)
    game = f"/e/{event}/rounds/1/tables/1/games/1"
    form = {"score-1": "999999", "score-2": "-50", "score-3": "13", "score-4": "1575"}
    page = director.post_form(game, form)
    assert page.status_code == 422
    assert "Anna: 999999. A game of Yahtzee ends with 0 to 1575." in page.text
    assert "Boris: -50." in page.text
    assert "Chen: 13" not in page.text
    assert not hall.state(event).rounds[0].results
    yes = confirmation(page.text)
    assert director.post_form(game, form | {"score-3": "1600"} | yes).status_code == 422
    assert director.post_form(game, form | yes).status_code == 303
    assert hall.state(event).rounds[0].results


def test_a_player_is_asked_about_such_scores_too(hall: Hall) -> None:
    """By the own link: the whole box of Rummikub costs 788."""
    event, browser = begun(hall), hall.browser()
    own = hall.own_page(event, 1)
    form = {"score-1": "900", "score-2": "-300", "score-3": "-300", "score-4": "-300"}
    page = browser.post_form(f"{own}/rounds/1/games/1", form)
    assert page.status_code == 422
    assert "Anna: 900. A game of Rummikub ends with -788 to 788." in page.text
    assert filled(page)["s1"] == "900"


def test_a_player_disputes_a_closed_round_and_the_desk_names_it_first(
    hall: Hall, director: Browser
) -> None:
    """The result stands; draw, cut and end ask the director while nobody has looked at it."""
    event, browser = played(hall), hall.browser()
    own = hall.own_page(event, 2)
    standings = director.get(f"/e/{event}/export/standings.csv").text
    answer = browser.post(f"{own}/rounds/1/games/1/dispute", why="I changed my mind")
    assert answer.status_code == 303
    assert "the result stands until the referee corrects it" in browser.get(own).text
    assert director.get(f"/e/{event}/export/standings.csv").text == standings
    expected = "Round 1, table 1, game 1: Boris disagrees: “I changed my mind”"
    service = director.get(f"/e/{event}/desk").text
    assert service.index(expected) < service.index("Draw round 2")
    assert expected in hall.browser("referee").get(f"/e/{event}/results").text
    for path in ("rounds/draw", "finish", "cut"):
        page = director.post(f"/e/{event}/{path}")
        assert page.status_code == 422
        assert "Is that right?" in page.text
        assert page.text.count(expected) == 2
    drawn = director.post(f"/e/{event}/rounds/draw", **confirmation(page.text))
    assert drawn.status_code == 303
    game = f"/e/{event}/rounds/1/tables/1"
    assert "Let the result stand" in director.get(game).text
    upheld = director.post(f"{game}/games/1/uphold", why="all four remember it")
    assert upheld.status_code == 303
    assert expected not in director.get(f"/e/{event}/desk").text
    assert "the result stands" in director.get(f"/e/{event}/annals").text


def test_nobody_disputes_an_event_that_is_over(hall: Hall) -> None:
    """As before: its standings are final."""
    event, browser = played(hall), hall.browser()
    hall.give(event, Finish())
    own = hall.own_page(event, 2)
    assert browser.post(f"{own}/rounds/1/games/1/dispute", why="no").status_code == 422


@pytest.mark.parametrize(("typed", "score"), [("\uff0d\uff11\uff12", -12), ("8 5 11", None)])
def test_a_score_is_typed_in_any_script_and_never_guessed(
    hall: Hall, director: Browser, typed: str, score: int | None
) -> None:
    """What is no whole number comes back with its fault."""
    event = hall.event(replace(FORMATS["club-evening"], games=1, zero_sum=False))
    hall.give(event, DrawByHand(TWO_TABLES, **KIM), StartRound())
    form = {"score-1": typed, "score-2": "-5", "score-3": "0", "score-4": "5"}
    page = director.post_form(f"/e/{event}/rounds/1/tables/1/games/1", form)
    results = hall.state(event).rounds[0].results
    assert page.status_code == (422 if score is None else 303)
    written = [str(each.result.scores) for each in results.values()]
    assert written == ([] if score is None else [f"1 {score}, 2 -5, 3 0, 4 5"])


def test_numbers_of_25_digits_are_a_fault_of_the_form_and_no_address(
    hall: Hall, director: Browser
) -> None:
    """The largest that a database holds has 19."""
    event, long = begun(hall), "9" * 25
    refused = director.post(f"/e/{event}/clock", act="set", minutes=long)
    assert refused.status_code == 422
    assert "That is too much: write at most 999999999999999999." in refused.text
    for path in (
        f"slips/{long}/discard",
        f"messages/{long}/away",
        f"rounds/{long}/tables/1/games/1",
    ):
        assert director.post(f"/e/{event}/{path}").status_code == 404
    assert director.get(f"/e/{event}/slips/{long}.jpg").status_code == 404
