"""Each device speaks its reader's language."""

from __future__ import annotations

import pytest

from tests.web.table_fake import NO_GAME, FakeTable
from web.table.app import create_app
from web.words import LANGUAGES

OWN = {"Origin": "http://localhost"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_device_keeps_the_language_that_was_chosen(language: str) -> None:
    """It is the language of all pages from then on, whatever the browser wishes."""
    client = create_app(FakeTable(NO_GAME).table()).test_client()
    answer = client.post("/language", data={"language": language}, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/about")
    page = client.get("/setup", headers={"Accept-Language": "ja, en"}).text
    assert f'<html lang="{language}">' in page


def test_the_browsers_wish_counts_until_then() -> None:
    """A language that there is no catalogue for is English."""
    client = create_app(FakeTable(NO_GAME).table()).test_client()
    assert (
        '<html lang="ko">'
        in client.get("/", headers={"Accept-Language": "ko-KR,ko;q=0.9,en-US;q=0.8"}).text
    )
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "xx"}).text


def test_a_language_that_is_none_changes_nothing() -> None:
    """A form that nobody could have sent sets no cookie."""
    client = create_app(FakeTable(NO_GAME).table()).test_client()
    answer = client.post("/language", data={"language": "tlh"}, headers=OWN)
    assert "Set-Cookie" not in answer.headers
