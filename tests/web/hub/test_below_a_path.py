"""A hub that a proxy shows below a path of its own host."""

from __future__ import annotations

import re

import pytest

from tests.web.hub.house import PASSWORD, Hall

STRAY = re.compile(r'(?:href|src|action|data-\w+|value)="(/(?!cup/)[^"]*)"')
PAGES = ("", "/desk", "/entries", "/tables", "/board", "/standings", "/sheets/links", "/check-in")


@pytest.mark.parametrize(
    "below", ["/cup", ""], ids=["the proxy keeps it", "the proxy takes it off"]
)
def test_no_link_leaves_the_path(below: str) -> None:
    """Pages, forms, live streams, redirects and cookies stay below it."""
    hall = Hall(address="http://localhost/cup")
    hall.account("Dana", "director")
    event, director = hall.event(), hall.browser()
    asked = director.get(f"{below}/e/{event}/desk")
    assert asked.location == f"/cup/sign-in?next=/cup/e/{event}/desk"
    answer = director.post(f"{below}/sign-in", name="Dana", password=PASSWORD)
    assert answer.location == "/cup/"
    assert "Path=/cup/" in answer.headers["Set-Cookie"]
    for place in PAGES:
        page = director.get(f"/cup/e/{event}{place}")
        assert page.status_code in {200, 308}, place
        assert STRAY.findall(page.text) == []
    refused = director.post(f"/cup/e/{event}/entries", name="", club="Hill")
    assert 'value="Hill"' in refused.text
    assert STRAY.findall(refused.text) == []
    assert 'next" value="/cup/' in director.get("/cup/").text


def test_links_on_paper_have_the_path_once() -> None:
    """Of players, tables and the sign-up; a proxy tells capitals from small letters."""
    hall = Hall(address="http://localhost/cup")
    event, director = hall.event(), hall.browser()
    hall.account("Dana", "director")
    director.post("/cup/sign-in", name="Dana", password=PASSWORD)
    sheet = director.get(f"/cup/e/{event}/sheets/links").text
    assert 'href="http://localhost/cup/p/' in sheet
    codes = director.post(f"/cup/e/{event}/tables/codes", first="1").text
    assert "http://localhost/cup<" in codes
    listed = director.get(f"/cup/e/{event}/export/links.csv").text
    assert "http://localhost/cup/p/" in listed
    assert "/cup/cup" not in sheet + codes + listed


@pytest.mark.parametrize("path", ["/e", "/cup/join/", "/api/v1"])
def test_a_path_that_is_a_page_of_the_hub_is_refused_at_the_start(path: str) -> None:
    """With one, neither the hub nor a table that is given a link could tell where it ends."""
    with pytest.raises(ValueError, match=r"--address .* choose another path"):
        Hall(address=f"http://localhost{path}")
