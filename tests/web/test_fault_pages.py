"""Every answer to a fault is given also where the store is away and the form is too large."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask, g, request, session
from werkzeug.exceptions import HTTPException, ServiceUnavailable

from scoreboard.errors import ScoreboardError, StoreError
from scoreboard.message import message
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.profiles import UnknownProfileError
from scoreboard.tournament.storage.hub_store import open_hub_store
from tests.web.hub.house import Hall
from tests.web.table_fake import FakeTable, view_of
from vision.errors import LessonError
from web.table.parts import NotAllowedError, StaleError

AWAY = message("The server of the games is away; start it.")
ERRORS: dict[type[Exception], Callable[[], Exception]] = {
    HTTPException: ServiceUnavailable,
    ScoreboardError: lambda: StoreError(AWAY),
    StaleError: lambda: StaleError("of an earlier run"),
    NotAllowedError: lambda: NotAllowedError("player"),
    UnknownProfileError: UnknownProfileError,
    LessonError: lambda: LessonError(AWAY),
}


@pytest.fixture(params=["table", "hub"])
def app(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Flask, dict[str, object]]]:
    """An application whose database is gone, and the session of a director."""
    url = f"sqlite:///{tmp_path}/data/games.db"
    if request.param == "table":
        with closing(open_store(url)) as store:
            assert isinstance(store, SqlStore)
            made = FakeTable(view_of()).app(store=store)
            store._database.engine.dispose()
            shutil.rmtree(tmp_path / "data")
            yield made, {}
        return
    with closing(open_hub_store(url)) as hub_store:
        hall = Hall(store=hub_store)
        with hall.browser("director").client.session_transaction() as signed_in:
            kept = dict(signed_in)
        hub_store._database.engine.dispose()
        shutil.rmtree(tmp_path / "data")
        yield hall.app, kept


def addresses(app: Flask, blueprint: str | None) -> list[str]:
    """An address for every form of a part of the application, of all of it for None."""
    found = []
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and blueprint in {None, rule.endpoint.partition(".")[0]}:
            path = re.sub(r"<any\((\w+)[^>]*>", r"\1", rule.rule)
            found.append(re.sub(r"<[^>]*>", "x", re.sub(r"<int:[^>]*>", "1", path)))
    return found


def test_every_handler_answers(app: tuple[Flask, dict[str, object]]) -> None:
    """In words, and with the code of a refusal."""
    served, kept = app
    handled = [
        (blueprint, kind)
        for blueprint, by_code in served.error_handler_spec.items()
        for handlers in by_code.values()
        for kind in handlers
    ]
    tried = [(kind, path) for part, kind in handled for path in addresses(served, part)]
    assert tried
    for kind, path in tried:
        with served.test_request_context(path, method="POST", data={"x": 70_000 * "x"}):
            if kept:  # a table has no sessions
                session.update(kept)
            g.let_in, request.max_content_length = True, 1000
            answer = served.make_response(served.handle_user_exception(ERRORS[kind]()))
        assert answer.status_code >= 400, (kind, path)
        assert answer.status_code != 500, (kind, path)
        assert answer.get_data(as_text=True).strip(), (kind, path)


def test_whoever_is_signed_in_reads_that_the_store_is_away(
    app: tuple[Flask, dict[str, object]],
) -> None:
    """On a page, where the sign-in itself cannot be looked up."""
    served, kept = app
    client = served.test_client()
    if kept:
        with client.session_transaction() as signed_in:
            signed_in.update(kept)
    path = "/people" if kept else "/players"
    answer = client.get(path)
    assert answer.status_code in {422, 503}
    assert "was deleted or moved" in answer.text


def test_a_form_that_is_too_large_is_told_so() -> None:
    """Also where its address is of a game that is not on the table any more."""
    client = FakeTable(view_of()).app().test_client()
    own = {"Origin": "http://localhost"}
    answer = client.post("/games/gone/steps/2/back", data={"x": 70_000 * "x"}, headers=own)
    assert answer.status_code == 413
    assert "too large" in answer.text
