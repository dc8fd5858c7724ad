"""The doors: the first start, signing in and out, the viewing code, and who tries too often."""

from __future__ import annotations

import pytest

from tests.web.hub.house import PASSWORD, Browser, Hall

OTHER = "another good password"
WRONG = "no"


def stranger(hall: Hall) -> Browser:
    """Somebody who has not signed in."""
    return Browser(hall.app.test_client())


def test_the_first_start_makes_one_director_and_closes() -> None:
    """The secret of the terminal opens the page once; a second director is made by the first."""
    hall = Hall()
    browser, path = stranger(hall), f"/set-up/{hall.hub.keys.set_up}"
    assert "first director" in browser.get(path).text
    assert browser.post(path, name="Dana", password=PASSWORD).status_code == 303
    assert hall.store.people.accounts()[0].role == "director"
    assert "New event" in browser.get("/").text
    assert browser.get(path).status_code == 404
    assert browser.post(path, name="Eve", password=PASSWORD).status_code == 404


@pytest.mark.parametrize(
    ("name", "password", "expected"),
    [
        ("Dana", "short", "Choose a password of 10 to 200 characters"),
        ("", PASSWORD, "1 to 40 characters"),
        ("a/b", PASSWORD, "without a slash"),
    ],
)
def test_a_weak_password_or_a_bad_name_is_told(name: str, password: str, expected: str) -> None:
    """The page stays, with what is wrong."""
    hall = Hall()
    path = f"/set-up/{hall.hub.keys.set_up}"
    answer = stranger(hall).post(path, name=name, password=password)
    assert answer.status_code == 422
    assert expected in answer.text


def test_the_viewing_code_is_asked_for() -> None:
    """On a page of its own, that keeps where one wanted to go."""
    page = stranger(Hall()).get("/look?next=/e/open/standings")
    assert page.status_code == 200
    assert 'name="code"' in page.text
    assert "/e/open/standings" in page.text


def test_signing_in_leads_where_one_wanted_to_go() -> None:
    """And out again: afterwards the page asks anew."""
    hall = Hall()
    hall.account("Dana", "director")
    tournament_id, browser = hall.event(), stranger(hall)
    service = f"/e/{tournament_id}/desk"
    asked = browser.get(service)
    assert asked.location == f"/sign-in?next={service}"
    answer = browser.post("/sign-in", name="Dana", password=PASSWORD, next=service)
    assert answer.location == service
    assert browser.get(service).status_code == 200
    browser.post("/sign-out")
    assert browser.get(service).status_code == 303


@pytest.mark.parametrize("wanted", ["//evil.example", "https://evil.example/", "/\\evil", "evil"])
def test_nobody_is_led_to_another_site(wanted: str) -> None:
    """A link that somebody was sent leads to this hub's own pages only."""
    hall = Hall()
    hall.account("Dana", "director")
    answer = stranger(hall).post("/sign-in", name="Dana", password=PASSWORD, next=wanted)
    assert answer.location == "/"


@pytest.mark.parametrize(("name", "password"), [("Dana", "wrong password"), ("Nobody", PASSWORD)])
def test_a_wrong_name_or_password_is_told_alike(name: str, password: str) -> None:
    """Nobody learns which names there are."""
    hall = Hall()
    hall.account("Dana", "director")
    answer = stranger(hall).post("/sign-in", name=name, password=password)
    assert answer.status_code == 401
    assert "Wrong name or password." in answer.text


def test_the_session_cookie_is_kept_from_scripts_and_other_sites() -> None:
    """And it ends by itself."""
    hall = Hall()
    hall.account("Dana", "director")
    answer = stranger(hall).post("/sign-in", name="Dana", password=PASSWORD)
    cookie = "".join(
        each
        for each in answer.headers.getlist("Set-Cookie")
        if each.startswith(f"{hall.hub.keys.cookie}=")
    )
    for update in ("HttpOnly", "SameSite=Lax", "Expires="):
        assert update in cookie


def test_who_lost_the_password_is_told_the_way_back() -> None:
    """Even the only director has one."""
    assert "tablescore hub password NAME" in stranger(Hall()).get("/sign-in").text


def test_who_guesses_too_often_has_to_wait() -> None:
    """Ten wrong tries a minute from one address; a right one does not count."""
    hall = Hall()
    hall.account("Dana", "director")
    browser = stranger(hall)
    for _ in range(10):
        assert browser.post("/sign-in", name="Dana", password=PASSWORD).status_code == 303
    tries = [browser.post("/sign-in", name="Dana", password=WRONG).status_code for _ in range(11)]
    assert tries == [401] * 10 + [429]
    answer = browser.post("/sign-in", name="Dana", password=PASSWORD)
    assert answer.status_code == 429
    assert "Too many tries. Wait a minute" in answer.text


def test_a_new_password_ends_every_other_session() -> None:
    """Whoever changed it stays signed in."""
    hall = Hall()
    here, there = hall.browser("director"), hall.browser("director")
    assert here.post("/people/Dana/password", password=OTHER).status_code == 303
    assert here.get("/people").status_code == 200
    assert there.get("/people").status_code == 303


def test_a_copied_cookie_is_dead_after_signing_out() -> None:
    """And cannot be kept alive; who is signed in elsewhere stays so."""
    hall = Hall()
    here, there = hall.browser("director"), hall.browser("director")
    cookie = here.client.get_cookie(hall.hub.keys.cookie)
    assert cookie is not None
    here.post("/sign-out")
    thief = stranger(hall)
    thief.client.set_cookie(hall.hub.keys.cookie, cookie.value)
    assert "Set-Cookie" not in thief.get("/sign-in").headers
    assert thief.get("/people").status_code == 303
    assert there.get("/people").status_code == 200


def test_a_session_lasts_as_long_as_it_is_used() -> None:
    """Each page gives it its hours anew."""
    director = Hall().browser("director")
    assert "Expires=" in director.get("/people").headers["Set-Cookie"]


def test_two_hubs_of_one_host_sign_nobody_out() -> None:
    """A browser sends cookies to every port: those of two hubs have two names."""
    one, other = Hall(), Hall(secret="the secret of another hub")  # noqa: S106 -- in a test
    browser = one.browser("director")
    other.account("Dana", "director")
    both = stranger(other)
    cookie = browser.client.get_cookie(one.hub.keys.cookie)
    assert cookie is not None
    both.client.set_cookie(cookie.key, cookie.value)
    assert both.post("/sign-in", name="Dana", password=PASSWORD).status_code == 303
    assert both.client.get_cookie(one.hub.keys.cookie) is not None
    assert both.get("/people").status_code == 200


def test_an_account_that_is_removed_is_signed_out() -> None:
    """At its next request."""
    hall = Hall()
    director, referee = hall.browser("director"), hall.browser("referee")
    tournament_id = hall.event()
    assert referee.get(f"/e/{tournament_id}/results").status_code == 200
    assert director.post("/people/Rolf/remove").status_code == 303
    assert referee.get(f"/e/{tournament_id}/results").status_code == 303


def test_the_director_lets_others_in() -> None:
    """By a name, a password and a role; a name that is taken is told."""
    hall = Hall()
    director = hall.browser("director")
    form = {"name": "Rolf", "password": PASSWORD, "role": "referee"}
    assert director.post("/people/add", **form).status_code == 303
    assert "Rolf" in director.get("/people").text
    assert director.post("/people/add", **form).status_code == 409
    assert director.post("/people/add", **(form | {"role": "king"})).status_code == 400
    assert director.post("/people/Nobody/remove").status_code == 404


def test_nobody_removes_themselves() -> None:
    """Else an event could be left without a director."""
    answer = Hall().browser("director").post("/people/Dana/remove")
    assert answer.status_code == 409
    assert "Ask another director" in answer.text


def test_a_table_is_told_how_it_joins() -> None:
    """What the square of a code opens on a phone."""
    text = stranger(Hall()).get("/join/acde-3467").text
    assert "ACDE-3467" in text
    assert "http://localhost" in text


def test_the_language_is_chosen_and_kept() -> None:
    """By a cookie of this device."""
    hall = Hall()
    answer = stranger(hall).post("/language", language="ko", next="/sign-in")
    assert answer.location == "/sign-in"
    assert "language=ko" in answer.headers["Set-Cookie"]
    assert "Set-Cookie" not in stranger(hall).post("/language", language="xx").headers
