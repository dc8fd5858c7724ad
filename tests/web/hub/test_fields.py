"""The forms that other tests send without a page are on the pages, with the fields they send."""

from __future__ import annotations

from tests.web.forms import fields, link
from tests.web.hub.house import NAMES, Browser, Hall


def test_the_way_from_the_door_to_the_desk(hall: Hall, director: Browser) -> None:
    """Players check in by themselves, one is tapped at the door, the others are left out."""
    event = hall.event()
    door = f"/e/{event}/check-in"
    assert fields(director.get(door).text, f"{door}/open") == {"open": "yes"}
    director.post(f"{door}/open", open="yes")
    typed = hall.hub.keys.short(event, 1, NAMES[0]).lower()
    own = hall.browser().get(f"/p/{typed}").location
    assert own is not None
    assert fields(hall.browser().get(own).text, f"{own}/here") == {}
    hall.browser().post(f"{own}/here")
    found = director.get(f"{door}?q=bo").text
    assert fields(found, f"{door}/2")["here"] == "yes"
    director.post(f"{door}/2", here="yes")
    text = director.get(door).text
    assert "2 here, 6 missing." in text
    asked = director.post(f"{door}/leave-out").text
    assert "Chen, Dora, Emil, Fatma, Gita, Hugo" in asked
    director.post_form(f"{door}/leave-out", fields(asked, f"{door}/leave-out"))
    assert "2 here, 0 missing." in director.get(link(text, "Desk")).text
    assert hall.service.snapshot(event).state.present == (1, 2)


def test_a_penalty_and_a_season(hall: Hall, director: Browser) -> None:
    """What is chosen is named as it is read; the player's own page is a link away."""
    event = hall.event()
    penalties = f"/e/{event}/penalties"
    text = director.get(penalties).text
    assert {"entrant", "kind", "points", "why"} <= set(fields(text, penalties))
    assert '<option value="3">Chen (3)</option>' in text
    season = link(director.get("/").text, "New season")
    assert {"name", "events", "places", "how", "best", "tie"} <= set(
        fields(director.get(season).text, season)
    )
    players = director.get(link(text, "Players")).text
    assert ">Chen</h1>" in director.get(link(players, "Chen")).text
