"""Result slips at the hub: printed, read from photographs, checked, kept with the result."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import numpy as np
from werkzeug.test import TestResponse

from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import DrawRound, UndoRound
from tests.scoreboard.tournament.model.directing import KIM
from tests.vision.read.slip_photos import Writer, drawn_slip, font_hand
from tests.web.hub.house import OWN, SCORES, Browser, Hall
from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg
from vision.read.slip_layout import Rows, SlipCode
from web.hub.slips import PrintedSlip, WaitingSlip, waiting_slips

NEAT = 7  # a seed whose hand writes clearly


def started(hall: Hall, games: int = 1) -> str:
    """An event of two tables of four in its first round."""
    return hall.started(replace(FORMATS["club-evening"], games=games))


def printed(hall: Hall, event: str, table: int = 1, rows: Rows = "S") -> PrintedSlip:
    """The first slip of a table."""
    played = hall.state(event).rounds[-1]
    seats = played.table(table)
    assert seats is not None
    return next(PrintedSlip.of_table(event, played, seats, rows))


def filled(code: SlipCode, games: dict[int, tuple[int, ...]]) -> Image:
    """A slip as a scanner gives it, with these scores of its games, counted from 0."""
    chance = np.random.default_rng(NEAT)
    page, layout = drawn_slip(code), code.layout
    writer = Writer(font_hand(chance), chance, crossed_out=0)
    for game, scores in games.items():
        for seat, score in enumerate(scores):
            writer.fill_in(page, [box[:2] for box in layout.boxes(game, seat)], score)
    return np.pad(page, ((20, 20), (20, 20), (0, 0)), constant_values=255)


def sent(browser: Browser, event: str, *photos: bytes) -> TestResponse:
    """Send photos as the page does."""
    files = [(BytesIO(photo), f"photo{at}.jpg") for at, photo in enumerate(photos, start=1)]
    return browser.client.post(f"/e/{event}/slips", data={"photo": files}, headers=OWN)


def waiting(hall: Hall, event: str) -> list[WaitingSlip]:
    """What waits for the referee."""
    return list(waiting_slips(hall.hub, event, hall.state(event)))


def typed(slip: WaitingSlip, games: dict[int, tuple[int, ...]]) -> dict[str, str]:
    """The page's fields with these scores, by game."""
    seats = slip.place.seats.seats
    return {
        f"{game}-score-{seat}": str(score)
        for game, scores in games.items()
        for seat, score in zip(seats, scores, strict=True)
    }


def test_the_sheet_has_a_slip_for_every_table(hall: Hall) -> None:
    """What it is of, the hub's address, five boxes for each name and for the sum, and its code."""
    event = started(hall, games=2)
    page = hall.browser("referee").get(f"/e/{event}/sheets/slips").text
    assert len(re.findall('<section class="result-slip"', page)) == 2
    assert len(re.findall('<rect [^>]* stroke="#333"', page)) == 2 * 2 * (4 + 1) * 5
    state = hall.state(event)
    moment = r"\d+ \w{3} \d{4}, \d\d:\d\d"
    assert len(re.findall(rf">{state.title}</text>", page)) == 2
    assert len(re.findall(rf">{moment}</text><text y=\"21\">http://localhost</text>", page)) == 2
    assert all(page.count(f">{name}</p>") == 2 for name in state.names.values())


def test_many_games_take_several_slips(hall: Hall) -> None:
    """Five games of four players stand on three slips, each with its own code."""
    event = started(hall, games=5)
    played = hall.state(event).rounds[-1]
    slips = list(PrintedSlip.of_table(event, played, played.draw.tables[0], "S"))
    assert [(slip.code.game, slip.code.games) for slip in slips] == [(1, 2), (3, 2), (5, 1)]
    assert len({slip.code.check for slip in slips}) == 3


def test_a_photographed_slip_becomes_the_result(hall: Hall) -> None:
    """Read, shown with what was read, saved; the photo is on the result's page."""
    event, referee = started(hall), hall.browser("referee")
    code = printed(hall, event).code
    assert sent(referee, event, encode_jpeg(filled(code, {0: SCORES}))).status_code == 303
    (slip,) = waiting(hall, event)
    page = referee.get(f"/e/{event}/slips").text
    for line, score in zip(slip.lines, SCORES, strict=True):
        assert line.score == str(score) or line.doubts
        assert f'value="{line.score}"' in page
    photo = f"/e/{event}/slips/{slip.photo}"
    jpeg = referee.get(f"{photo}.jpg").data
    assert jpeg.startswith(b"\xff\xd8")
    assert len(jpeg) <= 200_000
    assert referee.post_form(photo, typed(slip, {1: SCORES})).status_code == 303
    reported = hall.state(event).rounds[0].results[1, 1]
    assert str(reported.result.scores) == ", ".join(
        f"{seat} {score}" for seat, score in zip(slip.place.seats.seats, SCORES, strict=True)
    )
    assert waiting(hall, event) == []
    assert f"{photo}.jpg" in referee.get(f"/e/{event}/rounds/1/tables/1").text
    again = referee.post_form(photo, typed(slip, {1: SCORES}))
    assert again.status_code == 303, "pressed twice"


def test_scores_that_do_not_add_up_are_pointed_out(hall: Hall) -> None:
    """The table's people misreckoned, or the reader misread: the referee has to look."""
    event, referee = started(hall), hall.browser("referee")
    wrong = "must add up to 0"
    for scores, warned in (((30, -5, -10, -15, 0), False), ((30, -5, -10, -14, 0), True)):
        sent(referee, event, encode_jpeg(filled(printed(hall, event).code, {0: scores})))
        assert (wrong in referee.get(f"/e/{event}/slips").text) == warned
    (slip,) = waiting(hall, event)
    assert slip.unsound == {1}
    assert len(slip.lines) == 4


def test_a_slip_printed_by_an_earlier_version_is_read(hall: Hall) -> None:
    """Its rows are closer, and its photo stays with the result."""
    event, referee = started(hall), hall.browser("referee")
    code = printed(hall, event, rows="X").code
    assert "/1X4/" in str(code)
    sent(referee, event, encode_jpeg(filled(code, {0: SCORES})))
    (slip,) = waiting(hall, event)
    referee.post_form(f"/e/{event}/slips/{slip.photo}", typed(slip, {1: SCORES}))
    assert f"slips/{slip.photo}.jpg" in referee.get(f"/e/{event}/rounds/1/tables/1").text


def test_two_slips_in_two_photos_of_which_one_is_none(hall: Hall) -> None:
    """What can be read waits; of the rest the page says what is wrong."""
    event, referee = started(hall), hall.browser("referee")
    both = np.hstack([filled(printed(hall, event, table).code, {}) for table in (1, 2)])
    answer = sent(referee, event, encode_jpeg(both), b"no photo")
    assert answer.status_code == 422
    assert "photo2.jpg: " in answer.text
    assert {slip.code.table for slip in waiting(hall, event)} == {1, 2}


def test_no_photo_at_all_is_asked_for(hall: Hall) -> None:
    """The empty form says what to do."""
    event, referee = started(hall), hall.browser("referee")
    assert "Take a photo or choose some first." in sent(referee, event).text
    blank = encode_jpeg(np.full((400, 300, 3), 200, np.uint8))
    assert "No slip was found" in sent(referee, event, blank).text


def test_a_slip_of_another_event_or_seating_is_refused(hall: Hall) -> None:
    """Its numbers would stand beside the wrong names."""
    event, referee = started(hall), hall.browser("referee")
    hall.clock.pass_by(hours=1)
    other = started(hall)
    foreign = encode_jpeg(filled(printed(hall, other).code, {0: SCORES}))
    assert "belongs to another event" in sent(referee, event, foreign).text
    old = encode_jpeg(filled(printed(hall, event).code, {0: SCORES}))
    sent(referee, event, old)
    assert len(waiting(hall, event)) == 1
    hall.give(event, UndoRound(**KIM), DrawRound(2))
    assert waiting(hall, event) == []
    assert "printed before the seating was changed" in sent(referee, event, old).text


def test_a_score_that_is_no_number_comes_back_as_typed(hall: Hall) -> None:
    """Nothing that was typed is lost, and nothing is reported."""
    event, referee = started(hall), hall.browser("referee")
    sent(referee, event, encode_jpeg(filled(printed(hall, event).code, {0: SCORES})))
    (slip,) = waiting(hall, event)
    photo = f"/e/{event}/slips/{slip.photo}"
    fields = typed(slip, {1: SCORES}) | {f"1-score-{slip.place.seats.seats[2]}": "1?"}
    answer = referee.post_form(photo, fields)
    assert answer.status_code == 422
    assert "“1?” is not a score" in answer.text
    assert 'value="1?"' in answer.text
    assert not hall.state(event).rounds[0].results
    assert referee.post_form(photo, dict.fromkeys(fields, "")).status_code == 422


def test_a_game_that_was_not_played_is_left_out(hall: Hall) -> None:
    """Of a slip for two games the first can be saved alone; a photo can be thrown away."""
    event, referee = started(hall, games=2), hall.browser("referee")
    sent(referee, event, encode_jpeg(filled(printed(hall, event).code, {0: SCORES})))
    (slip,) = waiting(hall, event)
    photo = f"/e/{event}/slips/{slip.photo}"
    fields = typed(slip, {1: SCORES}) | dict.fromkeys(typed(slip, {2: SCORES}), "")
    assert referee.post_form(photo, fields).status_code == 303
    assert set(hall.state(event).rounds[0].results) == {(1, 1)}
    sent(referee, event, encode_jpeg(filled(printed(hall, event, 2).code, {})))
    (other,) = waiting(hall, event)
    assert referee.post(f"/e/{event}/slips/{other.photo}/discard").status_code == 303
    assert waiting(hall, event) == []


def test_a_photo_that_is_gone(hall: Hall) -> None:
    """Somebody else saved or discarded it: the page is shown again, and nothing is entered."""
    event, referee = started(hall), hall.browser("referee")
    assert referee.get(f"/e/{event}/slips/999.jpg").status_code == 404
    assert referee.post(f"/e/{event}/slips/999").status_code == 303
