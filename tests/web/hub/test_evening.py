"""A director leads an evening over the pages: entries, rounds, results, the end."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from scoreboard.games import GAMES
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.hash_chain import verify
from scoreboard.tournament.model.results import ReportResult
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.tournament_transcript import read_links, read_transcript
from tests.web.hub.house import NAMES, SCORES, Browser, Hall
from web.hub.format_form import filled

HUB = Path(__file__).parents[3] / "web" / "hub"


def scores(
    seats: tuple[int, ...], figures: tuple[int, ...] = SCORES, game: int = 1
) -> dict[str, str]:
    """The form of a result."""
    return {f"{game}-score-{seat}": str(score) for seat, score in zip(seats, figures, strict=True)}


def play(hall: Hall, director: Browser, tournament_id: str) -> None:
    """Enter all results of the round that is being played."""
    played = hall.last_round(tournament_id)
    for table in played.draw.tables:
        for game in range(1, played.games + 1):
            path = f"/e/{tournament_id}/rounds/{played.number}/tables/{table.number}"
            assert director.post_form(path, scores(table.seats, game=game)).status_code == 303


def test_a_whole_evening_by_the_buttons_of_the_pages(hall: Hall, director: Browser) -> None:
    """Create, enter, draw, start, enter results, close, finish: each page offers the next step."""
    assert 'value="League"' in director.get("/new?preset=league").text
    fields = filled(FORMATS["club-evening"]) | {"rounds": "2", "title": "Friday", "games": "1"}
    made = director.post_form("/new", fields)
    assert made.status_code == 303
    tournament_id = made.location.split("/")[2]
    base = f"/e/{tournament_id}"
    for name in NAMES:
        assert director.post(f"{base}/entries", name=name).status_code == 303
    for number in (1, 2):
        assert f"Draw round {number}" in director.get(f"{base}/desk").text
        assert director.post(f"{base}/rounds/draw", seed="5").status_code == 303
        assert f"Start round {number}" in director.get(f"{base}/desk").text
        director.post(f"{base}/rounds/start")
        assert "tables done: 0 of 2" in director.get(f"{base}/desk").text
        play(hall, director, tournament_id)
        assert f"Close round {number}" in director.get(f"{base}/desk").text
        director.post(f"{base}/rounds/close")
    assert "Finish the event" in director.get(f"{base}/desk").text
    director.post(f"{base}/finish")
    assert hall.state(tournament_id).finished
    assert "Final standings" in director.get(f"{base}/standings").text
    assert "stands above" in director.get(f"{base}/standings").text


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"rounds": "0"}, "write a whole number from 1 to 100"),
        ({"rounds": "many"}, 'id="f-rounds-fault">Enter a number in digits: “many” is not one.'),
        ({"smallest_table": "5"}, "smallest_table = 5 is more than table_size = 4"),
        ({"tiebreaks": "points, luck"}, "luck"),
        ({"title": ""}, "Give the event a title"),
    ],
)
def test_a_format_that_cannot_be_played_is_told_and_kept_as_typed(
    director: Browser, change: dict[str, str], expected: str
) -> None:
    """Nothing that was typed is lost."""
    form = filled(FORMATS["club-evening"]) | {"title": "Friday", "name": "Our own"} | change
    answer = director.post_form("/new", form)
    assert answer.status_code == 422
    assert expected in answer.text
    assert 'value="Our own"' in answer.text


def test_a_list_of_entries_is_taken_whole(hall: Hall, director: Browser) -> None:
    """After somebody was entered by hand, the list goes on with the numbers."""
    tournament_id = hall.event(entrants=1)
    file = (io.BytesIO(b"name;club\nIris;Reds\nJan;\n"), "entries.csv")
    assert director.post(f"/e/{tournament_id}/entries/file", file=file).status_code == 303
    entrants = hall.state(tournament_id).entrants
    assert [(each.number, each.name) for each in entrants] == [(1, "Anna"), (2, "Iris"), (3, "Jan")]


@pytest.mark.parametrize(
    ("file", "pasted", "words"),
    [
        (
            b"name,seed\nIris,first\nJan,\n,3\n",
            "",
            ["“first” in column seed", ">\nname,seed\nIris,first\nJan,\n,3\n</textarea>"],
        ),
        (b"name\nAnna\n", "", ["is entry 1 already"]),
        ("name\n\xc1ne\nA\u0301ne\n".encode(), "", ["stands in line 2 too"]),
        (b"name,club\nIris,An\x07n\n", "", ["U+0007"]),
        (b"PK\x03\x04\0\0", "", ["This file is no list of names: save it"]),
        (b"", "", ["The list is empty"]),
        (b"name\nIris\n", "Jan", ["one at a time", ">Jan</textarea>"]),
        (
            "name\nErnő Tűz\n".encode("cp1250"),
            "",
            ["Ernő, Tűz", "Ernõ, Tûz", "Windows-1250", "Windows-1252"],
        ),
        (None, "\nname\nErnő Tűz\n", ["Enter these players: 1"]),
        (
            None,
            "No.;Name;FED;Rtg\n1;Berg, Nora;NOR;1800\n",
            ["Nora Berg", "Rtg = rating", "Columns passed over: No., FED"],
        ),
    ],
)
def test_a_list_with_faults_or_doubts_is_shown_and_not_taken(
    hall: Hall, director: Browser, file: bytes | None, pasted: str, words: list[str]
) -> None:
    """By line, with what stands there and the cure; other letters and columns are named."""
    tournament_id = hall.event(entrants=1)
    sent = {} if file is None else {"file": (io.BytesIO(file), "entries.csv")}
    answer = director.post(f"/e/{tournament_id}/entries/file", text=pasted, **sent)
    assert answer.status_code == (200 if file is None else 422)
    assert [each for each in words if each not in answer.text] == []
    assert len(hall.state(tournament_id).entrants) == 1


def test_a_pasted_list_is_looked_at_and_then_taken(hall: Hall, director: Browser) -> None:
    """Names one a line, with club and rating; nothing happens before the second press."""
    tournament_id = hall.event(entrants=1)
    pasted, base = "Iris; Reds; 1800\r\nJan\r\n", f"/e/{tournament_id}/entries/file"
    looked = director.post(base, text=pasted)
    assert looked.status_code == 200
    assert "Enter these players: 2" in looked.text
    assert "Iris; Reds; 1800" in looked.text
    assert len(hall.state(tournament_id).entrants) == 1
    assert director.post(base, text=pasted, do="take").status_code == 303
    entrants = hall.state(tournament_id).entrants[1:]
    assert [str(each) for each in entrants] == ["2 Iris, club Reds, rating 1800", "3 Jan"]


def test_a_bad_line_holds_no_other_back(hall: Hall, director: Browser) -> None:
    """The good ones are entered; it stays in the box below its header, until it is right."""
    tournament_id = hall.event(entrants=1)
    base = f"/e/{tournament_id}/entries/file"
    rest = director.post(base, text="name,seed\nIris,2\nJan,first\nKai,\n", do="take")
    assert rest.status_code == 422
    assert "“first” in column seed" in rest.text
    assert ">\nname,seed\nJan,first</textarea>" in rest.text
    names = [each.name for each in hall.state(tournament_id).entrants]
    assert names == ["Anna", "Iris", "Kai"]
    assert director.post(base, text="name,seed\nJan,1", do="take").status_code == 303


def test_a_list_as_excel_saves_it_in_europe_is_taken(hall: Hall, director: Browser) -> None:
    """In Windows' code page, with its accents and its quotation marks."""
    tournament_id = hall.event(entrants=1)
    sent = "name;club\r\nJosé Åström;Café “Zur Brücke”\r\nŽofie O’Neill;\r\n".encode("cp1252")
    file = (io.BytesIO(sent), "entries.csv")
    assert director.post(f"/e/{tournament_id}/entries/file", file=file).status_code == 303
    entrants = hall.state(tournament_id).entrants
    assert [each.name for each in entrants] == ["Anna", "José Åström", "Žofie O’Neill"]
    assert entrants[1].club == "Café “Zur Brücke”"


def test_the_players_of_a_chess_report_are_taken(hall: Hall, director: Browser) -> None:
    """Uploaded at once; pasted, the names and ratings are shown for a look."""
    tournament_id = hall.event(entrants=1)
    base = f"/e/{tournament_id}/entries/file"
    text = f"012 Open\r\n001    1 w    {'Berg, Nora':33} 1800 NOR\r\n"
    looked = director.post(base, text=text)
    assert looked.status_code == 200
    assert ">\nname;rating\nBerg, Nora;1800\n</textarea>" in looked.text
    file = (io.BytesIO(text.encode()), "open.trf")
    assert director.post(base, file=file).status_code == 303
    assert str(hall.state(tournament_id).entrants[1]) == "2 Nora Berg, rating 1800"


def test_names_that_look_alike_are_alike(hall: Hall, director: Browser) -> None:
    """Composed and decomposed; and no name has a sign that nobody sees."""
    tournament_id = hall.event(entrants=1)
    base = f"/e/{tournament_id}/entries"
    assert director.post(base, name="A\u0301ne").status_code == 303
    assert hall.state(tournament_id).entrants[-1].name == "\xc1ne"
    answer = director.post(base, name="\xc1ne")
    assert "is entry 2 already" in answer.text
    answer = director.post(base, name="\u3164")
    assert "has a sign that nobody sees (U+3164)" in answer.text


def test_a_record_of_before_keeps_its_names(hall: Hall) -> None:
    """Whatever an older hub took in is replayed as it stands."""
    tournament_id = hall.event(entrants=1)
    hall.give(tournament_id, Enter(Entrant(2, "A\u0301nn\u200b")))
    assert read_transcript(hall.service.export(tournament_id)).state.entrants[-1].name[0] == "A"


def test_a_zero_byte_reaches_no_store(hall: Hall, director: Browser) -> None:
    """Databases keep none, whoever sends it."""
    tournament_id = hall.event(entrants=1)
    assert director.post(f"/e/{tournament_id}/entries", name="An\0na").status_code == 400
    assert director.post("/sign-in", name="\0", password="x").status_code == 400  # noqa: S106 -- no password
    assert director.get("/e/%00/desk").status_code == 400


def test_who_comes_late_goes_returns_and_is_replaced(hall: Hall, director: Browser) -> None:
    """Each with who and why in the annals."""
    tournament_id = hall.started()
    base = f"/e/{tournament_id}/entries"
    assert director.post(base, name="Late Leo", why="the train").status_code == 303
    assert director.post(f"{base}/2/withdraw", why="ill").status_code == 303
    assert director.post(f"{base}/2/return", why="well again").status_code == 303
    assert director.post(f"{base}/3/replace", name="Cho", why="misspelt").status_code == 303
    text = director.get(f"/e/{tournament_id}/annals").text
    for words in ("Late Leo entered late as 9.", "dropped out.", "came back.", "Cho goes on"):
        assert words in text
    assert "Dana: “the train”" in text
    answer = director.post(base, name="Later Lea")
    assert answer.status_code == 422
    assert "Say why" in answer.text


def test_a_round_is_seated_by_hand(hall: Hall, director: Browser) -> None:
    """On the proposed draw: any seating is some swaps away."""
    event = hall.event()
    path = f"/e/{event}/proposed"
    director.post(path)
    proposed = hall.state(event).proposed
    assert proposed is not None
    first, second = proposed.round.draw.tables
    pairs = zip(
        (each for each in first.seats if each > 4),
        (each for each in second.seats if each <= 4),
        strict=True,
    )
    for chosen in pairs:
        form = {"round": "1", "do": "swap", "chosen": [str(each) for each in chosen]}
        assert director.post(f"{path}/change", **form).status_code == 303
    assert director.post(f"{path}/publish", round="1").status_code == 303
    seated = {frozenset(each.seats) for each in hall.last_round(event).draw.tables}
    assert seated == {frozenset({1, 2, 3, 4}), frozenset({5, 6, 7, 8})}


def test_tables_are_merged_and_split_and_rounds_replanned(hall: Hall, director: Browser) -> None:
    """On the same board as a proposed draw, each with its reason; a table with a result stays."""
    event = hall.event(entrants=6)
    hall.give(event, DrawRound(1))
    base, board = f"/e/{event}/rounds", f"/e/{event}/proposed"
    page = f"{board}?round=1"
    assert f'href="{page}"' in director.get(f"/e/{event}/desk").text
    assert "Tables of Round 1" in director.get(page).text

    def change(do: str, **form: object) -> int:
        return director.post(f"{board}/change", round="1", do=do, **form).status_code

    assert change("remove 2") == 422, "no reason"
    assert change("remove 2", why="one table broke") == 303
    assert len(hall.last_round(event).draw.tables) == 1
    leaving = [str(each) for each in hall.seats(event)[:3]]
    assert change("move", chosen=leaving, to="2", why="it is mended") == 303
    assert len(hall.last_round(event).draw.tables) == 2
    assert "it is mended" in director.get(f"/e/{event}/annals").text
    one, two, three = hall.seats(event)
    games = GameScores.parse(f"{one} 10, {two} -4, {three} -6")
    hall.give(event, StartRound(), ReportResult(1, 1, 1, games))
    text = director.get(page).text
    assert text.count("has a result already") == 1
    assert change("swap", chosen=[leaving[0], str(one)], why="so") == 422
    assert director.post(f"{base}/replan", rounds=5, why="time is left").status_code == 303
    assert hall.state(event).format.rounds == 5


def test_a_round_is_taken_back_once(hall: Hall, director: Browser) -> None:
    """A second press on the same page does not take back the round before."""
    tournament_id = hall.started()
    path = f"/e/{tournament_id}/rounds/undo"
    assert director.post(path, round=1, why="wrong seats").status_code == 303
    answer = director.post(path, round=1, why="wrong seats")
    assert answer.status_code == 409
    assert "round 1 is no longer the last one" in answer.text


def test_results_are_signed_disputed_settled_and_corrected(hall: Hall, director: Browser) -> None:
    """The referee's work; every step shows at the table's page."""
    tournament_id, referee = hall.started(), hall.browser("referee")
    seats = hall.seats(tournament_id)
    page = f"/e/{tournament_id}/rounds/1/tables/1"
    game = f"{page}/games/1"
    assert referee.post_form(page, scores(seats)).status_code == 303
    assert referee.post(f"{game}/sign", entrant=seats[0]).status_code == 303
    assert "signed by 1 of 4" in referee.get(page).text
    assert referee.post(f"{game}/dispute", entrant=seats[1], why="miscounted").status_code == 303
    assert "disagrees: “miscounted”" in referee.get(page).text
    assert "disputed" in director.get(f"/e/{tournament_id}/desk").text
    other = scores(seats, (40, -15, -10, -15)) | {"why": "counted again"}
    assert referee.post_form(page, other).status_code == 303
    assert "settled" in referee.get(page).text
    third = scores(seats, (50, -25, -10, -15)) | {"why": "a slip"}
    was = ", ".join(f"{seat} {score}" for seat, score in zip(seats, SCORES, strict=True))
    stale = referee.post_form(page, third | {"1-was": was})
    assert stale.status_code == 409
    assert "somebody changed it in the meantime" in stale.text
    assert referee.post_form(page, third).status_code == 303
    assert "50" in referee.get(page).text


def racks(seats: tuple[int, ...], numbers: tuple[int, ...]) -> dict[str, str]:
    """The form of what is left on the racks; the last has a joker."""
    form = {f"numbers-{seat}": str(left) for seat, left in zip(seats, numbers, strict=True)}
    form |= {f"jokers-{seat}": "0" for seat in seats} | {"from": "racks", "game": "1"}
    return form | {f"jokers-{seats[-1]}": "1"}


def test_racks_are_reckoned_by_the_events_penalties(hall: Hall, director: Browser) -> None:
    """Who is out gains 12 + 7 + 5 + 30; two who are out cannot be."""
    tournament_id = hall.started()
    seats = hall.seats(tournament_id)
    path = f"/e/{tournament_id}/rounds/1/tables/1"
    assert "what is left on the racks" in director.get(path).text
    answer = director.post_form(path, racks(seats, (0, 0, 7, 5)))
    assert answer.status_code == 422
    assert "Count the racks again: two are empty" in answer.text
    answer = director.post_form(path, racks(seats, (0, 12, 7, 5)) | {f"jokers-{seats[0]}": "-1"})
    assert "Enter a number from 0 to 4." in answer.text
    assert director.post_form(path, racks(seats, (0, 12, 7, 5))).status_code == 303
    result = hall.last_round(tournament_id).results[1, 1].result
    assert [award.score.score for award in result] == [54, -12, -7, -35]


def test_no_page_of_the_hub_names_a_game() -> None:
    """Whatever a page asks of one game alone, its rulebook says."""
    files = [path for path in HUB.rglob("*.*") if path.suffix in {".py", ".html", ".js"}]
    naming = re.compile(rf"""["'.](?:{"|".join(GAMES)})\b""")
    assert len(files) > 50
    assert [path.name for path in files if naming.search(path.read_text(encoding="utf-8"))] == []


def test_a_no_show_needs_no_score(hall: Hall, director: Browser) -> None:
    """Whoever did not come is chosen so."""
    tournament_id = hall.started()
    seats = hall.seats(tournament_id)
    form = scores(seats, (30, -15, -15, 0)) | {f"1-score-{seats[3]}": "did"}
    assert director.post_form(f"/e/{tournament_id}/rounds/1/tables/1", form).status_code == 303
    assert "did not come" in director.get(f"/e/{tournament_id}/rounds/1/tables/1").text


def test_all_signed_on_paper_is_one_press(hall: Hall, director: Browser) -> None:
    """Whoever has signed on a page of their own is left as they are."""
    tournament_id = hall.started()
    seats = hall.seats(tournament_id)
    game = f"/e/{tournament_id}/rounds/1/tables/1/games/1"
    director.post_form(game.removesuffix("/games/1"), scores(seats))
    director.post(f"{game}/sign", entrant=seats[1])
    page = director.get(f"/e/{tournament_id}/rounds/1/tables/1").text
    assert "Sign for all: the slip is signed" in page
    for _ in range(2):  # pressed twice by mistake
        assert director.post(f"{game}/sign-all").status_code == 303
    assert hall.last_round(tournament_id).results[1, 1].phase == "signed"


def test_what_comes_too_early_is_refused_with_its_cure(hall: Hall, director: Browser) -> None:
    """The desk offers the right step only; an old page is answered."""
    tournament_id = hall.started()
    answer = director.post(f"/e/{tournament_id}/rounds/close")
    assert answer.status_code == 422
    assert "0 of 2. Wait, or report" in answer.text
    assert director.post(f"/e/{tournament_id}/cut").status_code == 422
    assert director.post(f"/e/{tournament_id}/rounds/draw").status_code == 422


def test_unknown_events_rounds_and_tables_are_not_found(hall: Hall, director: Browser) -> None:
    """With words, and a way back."""
    tournament_id = hall.started()
    for path in ("/e/nowhere/desk", f"/e/{tournament_id}/rounds/1/tables/9", "/nowhere"):
        answer = director.get(path)
        assert answer.status_code == 404
        assert "Back" in answer.text


def test_lots_a_play_off_the_cut_and_the_end(hall: Hall, director: Browser) -> None:
    """From shared places to a final that is reopened."""
    tournament_id = hall.started()
    play(hall, director, tournament_id)
    hall.give(tournament_id, CloseRound())
    base = f"/e/{tournament_id}"
    assert "Draw lots" in director.get(f"{base}/standings").text
    tops = " ".join(str(hall.seats(tournament_id, table)[0]) for table in (1, 2))
    assert director.post(f"{base}/play-off", order=tops, why="one game").status_code == 303
    assert director.post(f"{base}/lot").status_code == 303
    assert director.post(f"{base}/finish").status_code == 303
    assert director.post(f"{base}/reopen", why="a result was late").status_code == 303
    assert not hall.state(tournament_id).finished


def test_a_blind_event_takes_scores(hall: Hall, director: Browser) -> None:
    """Handed in one by one, and corrected with a reason."""
    tournament_id = hall.event(FORMATS["blind-high-score"])
    base = f"/e/{tournament_id}/scores"
    assert "Go to the scores" in director.get(f"/e/{tournament_id}/desk").text
    for _ in range(2):  # pressed twice by mistake
        assert director.post(base, entrant=1, score=241, seen=0).status_code == 303
    assert len(hall.state(tournament_id).solo) == 1
    assert director.post(base, entrant=1, score=241, seen=1).status_code == 303
    assert len(hall.state(tournament_id).solo) == 2
    assert director.post(base, entrant=1, score="many").status_code == 422
    assert director.post(f"{base}/1", score=214, why="digits swapped").status_code == 303
    assert "214" in director.get(base).text


def test_the_whole_record_moves_to_another_hub(hall: Hall, director: Browser) -> None:
    """Exported, checked, taken over; a changed one is refused, and the same one twice."""
    tournament_id = hall.started()
    text = director.get(f"/e/{tournament_id}/export/event.jsonl").text
    assert verify(read_links(text)) is None
    other = Hall()
    browser = other.browser("director")
    file = (io.BytesIO(text.encode()), "event.jsonl")
    taken = browser.post("/take-over", file=file)
    assert taken.location == f"/e/{tournament_id}/"
    assert other.state(tournament_id) == hall.state(tournament_id)
    for sent, status, expected in (
        (text, 409, "is stored already"),
        (text.replace("Boris", "Doris"), 422, "broken"),
        ("", 422, "Choose"),
    ):
        again = browser.post("/take-over", file=(io.BytesIO(sent.encode()), "event.jsonl"))
        assert again.status_code == status
        assert expected in again.text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_record_that_an_editor_saved_is_taken_over(
    hall: Hall, director: Browser, encoding: str
) -> None:
    """With the byte order mark of Windows; what is no text leaves the form with its sentence."""
    tournament_id = hall.started()
    text = director.get(f"/e/{tournament_id}/export/event.jsonl").text
    browser = Hall().browser("director")
    for sent, status in ((b"\xff", 422), (text.encode(encoding), 303)):
        answer = browser.post("/take-over", file=(io.BytesIO(sent), "event.jsonl"))
        assert answer.status_code == status
