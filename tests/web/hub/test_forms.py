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
from scoreboard.tournament.model.rounds import CloseRound, StartRound
from scoreboard.tournament.model.stages import Finish
from scoreboard.tournament.protocol.audit_log import AccountRole
from tests.scoreboard.tournament.model.directing import KIM, DrawByHand
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


def row(*scores: object, game: int = 1, **more: str) -> dict[str, str]:
    """A row of the list as it is typed, the scores of the first players in their order."""
    typed = {f"{game}-score-{seat}": str(score) for seat, score in enumerate(scores, start=1)}
    return typed | more


def test_scores_that_do_not_add_up_come_back(hall: Hall, director: Browser) -> None:
    """All four of them, and who did not come."""
    event = begun(hall)
    path = f"/e/{event}/rounds/1/tables/1"
    page = director.post_form(path, row(30, -5, -10, -16))
    assert page.status_code == 422
    assert page.text.count("add up to -1, not to 0") == 1
    fields = filled(page)
    assert [fields[f"f1-1-1-{seat}"] for seat in (1, 2, 3, 4)] == ["30", "-5", "-10", "-16"]
    assert director.post_form(path, row(30, -5, -25, "Did not")).status_code == 303
    assert filled(director.get(f"/e/{event}/results"))["f1-1-1-4"] == "did not come"


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("ten", "Enter a whole number like 52 or -12"),
        ("", "Enter the score of Chen, or why there is none."),
        ("2-1", "Enter a whole number like 52 or -12"),
    ],
)
def test_the_fault_stands_at_its_field(
    hall: Hall, director: Browser, typed: str, fault: str
) -> None:
    """The field is marked as the wrong one, and says why; nothing is recorded."""
    event = begun(hall)
    page = director.post_form(f"/e/{event}/rounds/1/tables/1", row(30, -5, typed, -15))
    assert page.status_code == 422
    assert 'aria-describedby="f1-1-1-3-fault"' in page.text
    assert f'id="f1-1-1-3-fault">{fault}' in page.text
    assert filled(page)["f1-1-1-3"] == typed
    assert not hall.state(event).rounds[0].results


def test_racks_a_settlement_and_a_correction_come_back(hall: Hall, director: Browser) -> None:
    """Each in its own form, and only there."""
    event = begun(hall, games=2)
    table = f"/e/{event}/rounds/1/tables/1"
    racks = {f"numbers-{seat}": str(seat - 1) for seat in (1, 2, 3, 4)}
    racks |= {"from": "racks", "game": "1", "numbers-2": "0", "jokers-1": "0", "jokers-2": "0"}
    page = director.post_form(table, racks)
    assert [filled(page)[f"r{seat}"] for seat in (1, 2, 3, 4)] == ["0", "0", "2", "3"]
    assert filled(page)["f1-1-1-1"] == ""
    hall.give(event, hall.results(event)[0])
    wrong = row(31, -5, -10, -15, why="again")
    page = director.post_form(table, wrong)
    assert (filled(page)["f1-1-1-1"], filled(page)["why-1-1"]) == ("31", "again")
    assert filled(page)["f1-1-2-1"] == ""
    hall.give(event, Dispute(1, 1, 1, 2, "no"))
    page = director.post_form(table, wrong | {"why": ""})
    assert "Say why" in page.text
    assert filled(page)["f1-1-1-1"] == "31"


def test_one_reason_corrects_every_game_of_a_row(hall: Hall, director: Browser) -> None:
    """What is disputed is settled by it, as it stands; what was not played yet is reported."""
    event = begun(hall, games=3)
    table = f"/e/{event}/rounds/1/tables/1"
    hall.give(event, hall.results(event)[0], hall.results(event, game=2)[0])
    typed = row(30, -5, -10, -15) | row(30, -10, -10, -10, game=2)
    answer = director.post_form(table, typed)
    assert (answer.status_code, "Say why" in answer.text) == (422, True)
    hall.give(event, Dispute(1, 1, 1, 2, "no"))
    typed |= row(9, -3, -3, -3, game=3, why="counted again")
    assert director.post_form(table, typed).status_code == 303
    results = hall.state(event).rounds[0].results
    assert [results[1, game].phase for game in (1, 2, 3)] == ["settled", "settled", "reported"]
    assert str(results[1, 2].result.scores) == "1 30, 2 -10, 3 -10, 4 -10"


def test_a_stale_row_changes_only_what_was_typed_in_it(hall: Hall, director: Browser) -> None:
    """Two directors type game 2 and correct game 1; of one game the later one sees the other's."""
    event = begun(hall, games=2)
    table, first = f"/e/{event}/rounds/1/tables/1", "1 30, 2 -5, 3 -10, 4 -15"
    hall.give(event, hall.results(event)[0])
    seen = row(30, -5, -10, -15) | {"1-was": first}
    corrected = row(31, -6, -10, -15, why="a slip") | {"1-was": first}
    assert director.post_form(table, corrected).status_code == 303
    for _ in range(2):  # the answer is lost, and Enter pressed again
        answer = director.post_form(table, seen | row(9, -3, -3, -3, game=2))
        assert answer.status_code == 303
    results = hall.state(event).rounds[0].results
    assert str(results[1, 1].result.scores) == "1 31, 2 -6, 3 -10, 4 -15"
    answer = director.post_form(table, row(32, -7, -10, -15, why="no") | {"1-was": first})
    assert answer.status_code == 409
    assert filled(answer)["f1-1-1-1"] == "32"
    assert "so far 31" in answer.text


@pytest.mark.parametrize("tiebreak", ["buchholz", "score"])
def test_a_match_without_scores_is_typed_in_its_first_field(
    hall: Hall, director: Browser, tiebreak: str
) -> None:
    """Where no tie-break counts scores; else the page says which one does."""
    form = replace(FORMATS["yahtzee-duel-swiss"], games=3, tiebreaks=("points", tiebreak))
    event, needed = hall.started(form, entrants=2), tiebreak == "score"
    path = f"/e/{event}/rounds/1/tables/1"
    one, other = hall.seats(event)
    assert ("they decide between equals (Score)" in director.get(path).text) == needed
    for _ in range(2):  # the answer is lost, and Enter pressed again
        answer = director.post_form(path, {f"1-score-{one}": "2 - 1", f"1-score-{other}": ""})
        assert answer.status_code == (422 if needed else 303)
    games = [str(each.result.scores) for each in hall.last_round(event).results.values()]
    lost, won = f"{one} 0, {other} 1", f"{one} 1, {other} 0"
    assert games == ([] if needed else [lost, won, won])


@pytest.mark.parametrize(
    ("path", "form", "expected", "fields"),
    [
        (
            "proposed/change",
            {"round": "1", "do": "move", "chosen": "3", "to": "3", "why": "a broken leg"},
            "sits alone at table 3",
            {"why": "a broken leg"},
        ),
        (
            "proposed/change",
            {"round": "1", "do": "move", "chosen": "3", "to": "x", "why": "late"},
            "Enter a number in digits: “x” is not one.",
            {"why": "late"},
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


def test_a_page_that_is_gone_leaves_the_fault_alone(hall: Hall, director: Browser) -> None:
    """Somebody changes the tables of a round that another has closed meanwhile."""
    event = played(hall)
    page = director.post_form(f"/e/{event}/proposed/change", {"round": "1", "do": "swap"})
    assert page.status_code == 422
    assert "Round 1 is closed: draw the next one first." in page.text
    page = director.post_form(f"/e/{event}/proposed/change", {"round": "2", "do": "swap"})
    assert "No draw of round 2 is proposed any more: look again." in page.text


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
    event = hall.started(replace(FORMATS["yahtzee-evening"], games=2), entrants=4)
    table = f"/e/{event}/rounds/1/tables/1"
    form = row(999999, -50, 13, 1575) | row(1576, 1, 2, 3, game=2)
    page = director.post_form(table, form)
    assert page.status_code == 422
    assert "Anna: 999999. A game of Yahtzee ends with 0 to 1575." in page.text
    assert "Boris: -50." in page.text
    assert "Anna: 1576." in page.text
    assert "Chen: 13" not in page.text
    assert not hall.state(event).rounds[0].results
    yes = confirmation(page.text)
    assert director.post_form(table, form | {"1-score-3": "1600"} | yes).status_code == 422
    assert director.post_form(table, form | yes).status_code == 303
    assert len(hall.state(event).rounds[0].results) == 2


def test_a_player_is_asked_about_such_scores_too(hall: Hall) -> None:
    """By the own link: the whole box of Rummikub costs 788."""
    event, browser = begun(hall), hall.browser()
    own = hall.own_page(event, 1)
    page = browser.post_form(f"{own}/rounds/1", row(900, -300, -300, -300))
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
    page = director.post_form(f"/e/{event}/rounds/1/tables/1", row(typed, -5, 0, 5))
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
        f"rounds/{long}/tables/1",
    ):
        assert director.post(f"/e/{event}/{path}").status_code == 404
    assert director.get(f"/e/{event}/slips/{long}.jpg").status_code == 404
