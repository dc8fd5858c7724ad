"""What everybody sees: boards, sheets, exports; nothing inline, everything escaped."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

import web
from scoreboard.message import Message
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, Withdraw
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.hub.house import DIRECTOR, NAMES, Browser, Hall
from tests.web.whole_event import whole_event
from web.hub.app import format_name
from web.hub.credentials import Keys, same
from web.hub.hub import HubSettings, public_address
from web.shared.qr_code import qr_code

HUB = Path(web.__file__).parent / "hub"
VIEWED = ("", "board", "standings", "settings", "annals", "desk", "entries", "results", "tables")
SHEETS = ("entries", "seating", "results", "standings", "links")


def played(hall: Hall) -> str:
    """An event with a result of each table, one of them with a name like a script."""
    event = hall.event(entrants=7)
    hall.give(event, Enter(Entrant(8, "<b>Hugo</b>")), DrawRound(1), StartRound())
    hall.give(event, *hall.results(event))
    return event


def test_every_page_is_drawn_with_nothing_inline_and_all_escaped(hall: Hall) -> None:
    """What the content policy would block is not there in the first place."""
    event, director = played(hall), hall.browser("director")
    paths = [f"/e/{event}/{page}" for page in VIEWED]
    paths += [f"/e/{event}/sheets/{sheet}" for sheet in SHEETS]
    paths += [
        "/",
        "/new",
        "/people",
        "/manage",
        f"/e/{event}/manage",
        "/sign-in",
        "/look",
        "/nowhere",
    ]
    paths += [f"/e/{event}/rounds/1/tables/1"]
    for path in paths:
        answer = director.get(path)
        assert answer.status_code == (404 if path == "/nowhere" else 200), path
        assert re.search(r"<h1[^>]*>(?:\s|<[^>]*>)*[^\s<]", answer.text), path
        assert " style=" not in answer.text
        assert "<style" not in answer.text
        assert not re.search(r"\son[a-z]+=", answer.text)
        assert answer.text.count("<script") == answer.text.count('<script src="/static/')
        assert "<b>Hugo" not in answer.text
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("preset", {form.system: name for name, form in FORMATS.items()}.values())
def test_every_page_stands_before_anybody_entered(hall: Hall, preset: str) -> None:
    """In an event of each system."""
    event, director = hall.event(FORMATS[preset], entrants=0), hall.browser("director")
    for path in (*VIEWED, *(f"sheets/{sheet}" for sheet in SHEETS), "export/site.zip"):
        assert director.get(f"/e/{event}/{path}").status_code == 200, path


def test_every_class_that_a_template_names_is_styled() -> None:
    """A class that nothing knows is a leftover."""
    folders = (HUB / "static", HUB.parent / "table" / "static")
    known = "".join(path.read_text(encoding="utf-8") for f in folders for path in f.glob("*.*s"))
    for path in (HUB / "templates").glob("*.html"):
        plain = re.sub(r"{%.*?%}|{{.*?}}", " \0", path.read_text(encoding="utf-8"))
        for names in re.findall(r'class="([^"]*)"', plain):
            for name in names.split():
                if "\0" not in name and not name.endswith("-"):
                    assert f".{name}" in known, f"{name} in {path.name}"


def test_scripts_and_styles_ask_for_nothing_elsewhere() -> None:
    """No request leaves the machine."""
    for path in (HUB / "static").iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?:|//[a-z]+\.|url\(|@import|import\(", text), path.name


def test_the_board_shows_seats_standings_and_reasons(hall: Hall) -> None:
    """For everybody in the hall."""
    event = played(hall)
    text = hall.browser().get(f"/e/{event}/board").text
    assert "Round 1 is under way; tables done: 0 of 2." in text
    assert "1/2" in text
    assert "Begun at" in text
    assert f'data-stream="/e/{event}/live"' in text


def test_sheets_print_the_settings_that_were_used(hall: Hall) -> None:
    """And the hash that stands for the record, with the key that signed it."""
    event = played(hall)
    browser = hall.browser("director")
    for sheet in ("entries", "seating", "results", "standings"):
        text = browser.get(f"/e/{event}/sheets/{sheet}").text
        assert "A joker left on the rack costs 30." in text
        assert hall.service.snapshot(event).head[:16] in text
        assert hall.service.key[:16] in text


def test_slips_carry_each_players_link(hall: Hall) -> None:
    """As a square and, on the screen, as a link."""
    event = hall.event()
    text = hall.browser("director").get(f"/e/{event}/sheets/links").text
    assert f'href="http://localhost{hall.own_page(event, 1)}"' in text
    assert text.count('class="square"') == 8


def test_lists_are_taken_along_as_csv(hall: Hall) -> None:
    """UTF-8 that spreadsheets open, a header row, and names as they are."""
    event, director = played(hall), hall.browser("director")
    for name, rows in (("entries", 8), ("seating", 8), ("results", 8), ("standings", 8)):
        answer = director.get(f"/e/{event}/export/{name}.csv")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.csv"'
        assert answer.text.startswith("\ufeff")
        found = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
        assert len(found) == rows
        assert "<b>Hugo</b>" in {row["name"] for row in found}


def test_lists_are_as_the_readers_spreadsheet_wants_them(hall: Hall) -> None:
    """Semicolons and decimal commas by the browser's language, or the one chosen; or a workbook."""
    event, viewer = hall.started(FORMATS["yahtzee-evening"], entrants=4), hall.browser().client
    scores = GameScores.parse("1 200, 2 200, 3 90, 4 80")
    hall.give(event, ReportResult(1, 1, 1, scores))
    path = f"/e/{event}/export/results"
    for asked, written in (
        ("de-DE,en;q=0.5", ";200;3,5;0,5;"),
        ("en-GB,de;q=0.5", ",200,3.5,0.5,"),
    ):
        text = viewer.get(f"{path}.csv", headers={"Accept-Language": asked}).text
        assert written in text
    viewer.set_cookie("language", "en")
    text = viewer.get(f"{path}.csv", headers={"Accept-Language": "fr"}).text
    assert ",200,3.5,0.5," in text
    with ZipFile(io.BytesIO(viewer.get(f"{path}.xlsx").data)) as files:
        sheet = files.read("xl/sheet.xml").decode()
    assert "<c><v>200</v></c><c><v>3.5</v></c><c><v>0.5</v></c>" in sheet


def test_the_record_names_the_figures_that_the_pages_show(hall: Hall, director: Browser) -> None:
    """With the version and the hash that they are of."""
    event = played(hall)
    document = whole_event(director.get(f"/e/{event}/export/event.jsonl").text)
    snapshot = hall.service.snapshot(event)
    assert (document["version"], document["hash"]) == (snapshot.version, snapshot.head)
    assert len(document["results"]) == len(document["standings"]) == 8
    assert document["rounds"][0]["tables"]["1"] == list(
        snapshot.state.rounds[0].draw.tables[0].seats
    )


def test_a_website_is_taken_along_with_what_the_api_answers(hall: Hall, director: Browser) -> None:
    """The files of `tablescore publish`, in a zip and in the director's language."""
    event, address = played(hall), "/api/v1/events"
    sent = director.get(f"/e/{event}/export/site.zip").data
    with ZipFile(io.BytesIO(sent)) as site:
        files = {name: site.read(name) for name in site.namelist()}
    assert {"index.html", "site.css", f"{event}/players.html"} <= files.keys()
    for name, path in (("event", ""), ("standings", "/standings"), ("round-1", "/rounds/1")):
        assert files[f"{event}/{name}.json"] == director.get(f"{address}/{event}{path}").data
    pages = [content for name, content in files.items() if name.endswith(".html")]
    assert b"<b>Hugo" not in b"".join(pages)


def test_solo_scores_are_taken_along_too(hall: Hall) -> None:
    """Those of a blind event, in the same list, and in the statistics."""
    event = hall.event(FORMATS["blind-high-score"])
    hall.browser("director").post(f"/e/{event}/scores", entrant=2, score=199)
    text = hall.browser().get(f"/e/{event}/export/results.csv").text
    assert "Boris,199,199" in text
    assert "Boris,199,199,0,1,199" in hall.browser().get(f"/e/{event}/export/statistics.csv").text


def test_a_swiss_event_is_downloaded_for_chess_programs(hall: Hall) -> None:
    event = hall.started(FORMATS["yahtzee-duel-swiss"])
    other = hall.service.open("Club", FORMATS["club-evening"], DIRECTOR)
    director, path = hall.browser("director"), f"/e/{event}/export/event.trf"
    assert f'href="{path}"' in director.get(f"/e/{event}/results").text
    answer = director.get(path)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{event}.trf"'
    assert answer.text.startswith("012 Winter evening\n062 8\n")
    assert "event.trf" not in director.get(f"/e/{other}/results").text
    assert director.get(f"/e/{other}/export/event.trf").status_code == 404


@pytest.mark.parametrize(
    ("named", "asked", "expected"),
    [
        (False, "http://10.0.0.7:8100/", "http://10.0.0.7:8100"),
        (False, "http://127.0.0.1:8100/", "http://hall:8100"),
        (False, "http://localhost:8100/", "http://hall:8100"),
        (True, "http://10.0.0.7:8100/", "http://hall:8100"),
    ],
)
def test_links_that_leave_the_browser_lead_where_phones_can_go(
    named: bool,  # noqa: FBT001 -- a value of the table above
    asked: str,
    expected: str,
) -> None:
    """As the visitor came, unless no phone can come so or the host named another address."""
    settings = HubSettings("http://hall:8100", frozenset(), named=named)
    assert public_address(settings, asked) == expected


def test_a_hub_that_was_started_without_a_network_shows_the_address_that_came() -> None:
    """Its squares led to 127.0.0.1 until somebody started it anew."""
    reached: list[str] = []
    settings = HubSettings("http://127.0.0.1:8100", frozenset(), on_network=lambda: tuple(reached))
    assert public_address(settings, "http://127.0.0.1:8100/") == "http://127.0.0.1:8100"
    reached.append("http://192.0.2.7:8100/")
    assert public_address(settings, "http://127.0.0.1:8100/") == "http://192.0.2.7:8100"


def test_keys_differ_and_are_compared_as_typed() -> None:
    """By hub, event, number and name; large letters and blanks do not count."""
    keys = Keys("one")
    made = {
        keys.set_up,
        keys.viewing,
        keys.player("e", 1, "Anna"),
        keys.player("e", 2, "Anna"),
        keys.player("f", 1, "Anna"),
        keys.player("e", 1, "Hanna"),
        Keys("other").player("e", 1, "Anna"),
    }
    assert len(made) == 7
    assert same(f" {keys.viewing.upper()} ", keys.viewing)
    assert not same("", keys.viewing)


def test_a_square_has_no_style_and_no_text_of_the_address() -> None:
    """It is drawn into the page, whose policy allows neither."""
    drawn = str(qr_code('http://localhost/"><script>'))
    assert drawn.startswith("<svg")
    assert "style" not in drawn
    assert "script" not in drawn


def test_the_names_of_formats_are_translated() -> None:
    """As messages on the page; a director's own name is in the language of those who play."""
    for form in FORMATS.values():
        assert format_name(form.name) == Message(form.name)
    assert format_name("Herbstturnier") == "Herbstturnier"


def test_who_was_replaced_keeps_the_rounds_of_before(hall: Hall, director: Browser) -> None:
    """Omar's result stays his on every page, sheet and list; Rita's standing says for whom."""
    event = hall.started(replace(FORMATS["club-evening"], games=1), entrants=4)
    hall.give(event, *hall.results(event), CloseRound())
    base = f"/e/{event}"
    form = {"name": "Rita Poe", "why": "ill", "as": "replacement"}
    assert director.post_form(f"{base}/entries/2/replace", form).status_code == 303
    for path in ("results", "sheets/results", "export/results.csv", "rounds/1/tables/1"):
        page = director.get(f"{base}/{path}").text
        assert "Boris" in page, path
        assert "Rita Poe" not in page, path
    for path in ("standings", "sheets/standings", "entries", "entries/2"):
        page = director.get(f"{base}/{path}").text
        assert "Rita Poe" in page, path
        assert "for Boris, from round 2" in page, path
    hall.give(event, DrawRound(2))
    results = director.get(f"{base}/results").text
    assert "Rita Poe" in results
    assert "Boris" in results


def test_who_has_dropped_out_is_marked_wherever_they_are_seated(
    hall: Hall, director: Browser
) -> None:
    """With the cure at the desk, until the table's results are in."""
    event = hall.started(replace(FORMATS["club-evening"], games=1))
    seats = hall.seats(event)
    gone = NAMES[seats[1] - 1]
    base, expected = (
        f"/e/{event}",
        f"Merge the table, or enter “did not come”: {gone} has dropped out.",
    )
    assert "dropped out" not in director.get(f"{base}/desk").text
    hall.give(event, Withdraw(seats[1], **KIM))
    for path in ("desk", "board", "", "sheets/seating", "sheets/results", "rounds/1/tables/1"):
        assert "dropped out" in director.get(f"{base}/{path}").text, path
    assert expected in director.get(f"{base}/desk").text
    text = f"{seats[0]} 25, {seats[1]} no-show, {seats[2]} -10, {seats[3]} -15"
    hall.give(event, ReportResult(1, 1, 1, GameScores.parse(text)))
    assert expected not in director.get(f"{base}/desk").text


def test_halves_are_decimals_in_csv_signs_on_pages_and_exact_in_json(
    hall: Hall, director: Browser
) -> None:
    """Two winners level in a Yahtzee evening share the first two places."""
    event = hall.started(FORMATS["yahtzee-evening"], entrants=4)
    scores = GameScores.parse("1 200, 2 200, 3 90, 4 80")
    hall.give(event, ReportResult(1, 1, 1, scores))
    base = f"/e/{event}"
    for path in ("export/results.csv", "export/standings.csv"):
        text = director.get(f"{base}/{path}").text
        assert ",3.5," in text
        assert "7/2" not in text
    assert ",200,3.5,0.5," in director.get(f"{base}/export/results.csv").text
    for path in ("standings", "board", "sheets/standings", "rounds/1/tables/1", ""):
        text = director.get(f"{base}/{path}").text
        assert "3½" in text, path
        assert "7/2" not in text, path
    document = whole_event(director.get(f"{base}/export/event.jsonl").text)
    assert document["results"][0]["points"] == "7/2"
    assert document["standings"][0]["points"] == "7/2"
