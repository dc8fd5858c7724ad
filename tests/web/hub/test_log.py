"""The log of the hub's pages: refusals by page and reason, and never a secret."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import pytest

from scoreboard.tournament.protocol.documents import text_of
from scoreboard.tournament.protocol.hub_update import Greeting, JoinRequest
from tests.web.hub.house import NAMES, OWN, PASSWORD, Hall

TYPED = "what-somebody-typed-in-secret"
TOKEN = "a-token-of-the-tables-own-making-0123456789"  # noqa: S105 -- of a table in a test


@dataclass
class Guarded:
    """A hub with an event, and all that is secret there."""

    hall: Hall = field(default_factory=Hall)

    def __post_init__(self) -> None:
        self.event = self.hall.event()
        self.hall.account("Dana", "director")
        self.code = self.hall.hub.admission.offer_code(self.event, 1)
        keys = self.hall.hub.keys
        self.key = keys.player(self.event, 1, NAMES[0])
        self.secrets = (
            self.key,
            self.code,
            self.code.replace("-", ""),
            keys.set_up,
            keys.viewing,
            PASSWORD,
            TOKEN,
            TYPED,
            self.hall.secret,
        )

    def filled(self, text: str) -> str:
        """A path or a value with the secrets that it names."""
        return text.format(
            event=self.event,
            key=self.key,
            code=self.code,
            set_up=self.hall.hub.keys.set_up,
            viewing=self.hall.hub.keys.viewing,
            typed=TYPED,
        )


@pytest.fixture
def guarded(caplog: pytest.LogCaptureFixture) -> Guarded:
    """Everything that any logger says is caught, libraries too."""
    guarded = Guarded()
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    return guarded


REQUESTS: Final[Sequence[tuple[str, str, Mapping[str, str]]]] = (
    ("GET", "/p/{event}/1/{key}", {}),
    ("GET", "/p/{event}/1/{key}x", {}),
    ("GET", "/p/{event}/2/{key}", {}),
    ("GET", "/p/{event}/1/{key}/nothing", {}),
    ("POST", "/p/{event}/1/{key}/rounds/1/games/1", {"score-1": "{typed}"}),
    ("POST", "/p/{event}/1/{key}/rounds/9/games/1/sign", {}),
    ("POST", "/p/{event}/1/{key}/rounds/1/games/1/dispute", {"why": "{typed}"}),
    ("GET", "/set-up/{set_up}", {}),
    ("POST", "/set-up/{set_up}", {"name": "Eve", "password": "{typed}"}),
    ("POST", "/set-up/{typed}", {"name": "Eve", "password": "{typed}"}),
    ("GET", "/join/{code}", {}),
    ("POST", "/look", {"code": "{viewing}"}),
    ("POST", "/look", {"code": "{typed}"}),
    ("POST", "/sign-in", {"name": "Dana", "password": PASSWORD}),
    ("POST", "/sign-in", {"name": "Dana", "password": "{typed}"}),
    ("POST", "/sign-in", {"name": "{typed}", "password": ""}),
    ("GET", "/sign-in?next=/p/{event}/1/{key}", {}),
    ("GET", "/nothing/{typed}?code={code}", {}),
    ("PUT", "/set-up/{set_up}", {}),
)


def test_no_page_tells_the_log_a_secret(guarded: Guarded, caplog: pytest.LogCaptureFixture) -> None:
    """Whether it lets in or refuses: neither what is right nor what was typed in its place."""
    for method, path, form in REQUESTS:
        data = {name: guarded.filled(value) for name, value in form.items()}
        client = guarded.hall.app.test_client()
        client.open(guarded.filled(path), method=method, data=data, headers=OWN)
        assert [secret for secret in guarded.secrets if secret in caplog.text] == []


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/people/add", {"name": "Rolf", "role": "referee", "password": TYPED}),
        ("/people/add", {"name": "Rolf/", "role": "referee", "password": TYPED}),
        ("/people/Dana/password", {"password": TYPED}),
        ("/people/Nobody/password", {"password": TYPED}),
        ("/people/Dana/password", {"password": "short"}),
        ("/e/{event}/tables/codes", {"first": "1", "last": "3"}),
    ],
)
def test_no_act_of_a_director_tells_the_log_a_secret(
    guarded: Guarded, caplog: pytest.LogCaptureFixture, path: str, form: Mapping[str, str]
) -> None:
    """New passwords and codes are shown to the director alone."""
    shown = guarded.hall.browser("director").post(guarded.filled(path), **form).text
    assert [secret for secret in guarded.secrets if secret in caplog.text] == []
    codes = [word for word in shown.replace("<", " ").replace(">", " ").split() if "-" in word]
    assert not any(f"join/{code}" in shown and code in caplog.text for code in codes)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("join", JoinRequest("{code}", "north", TOKEN)),
        ("join", JoinRequest("ACDE-3467", "north", TOKEN)),
        ("greet", Greeting({})),
        ("games/g1/items", {"game_id": "g1", "items": [{"sequence": TYPED, "body": {}}]}),
        ("join", {"code": TYPED, "table": 7, "token": TOKEN}),
    ],
)
def test_no_message_of_a_table_tells_the_log_a_secret(
    guarded: Guarded, caplog: pytest.LogCaptureFixture, path: str, value: object
) -> None:
    """Neither codes nor tokens, in messages that are understood and in those that are not."""
    body = text_of(value).replace("{code}", guarded.code)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    client = guarded.hall.app.test_client()
    client.post(f"/api/v1/{path}", data=body, headers=headers)
    client.post(f"/api/v1/{path}", data=body[:-1], headers=headers)
    found = [secret for secret in (*guarded.secrets, "ACDE-3467") if secret in caplog.text]
    assert found == []


def test_a_fault_on_a_players_page_is_told_without_the_key(
    guarded: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    """The traceback is there, and whose page it was; Flask would write the whole address."""

    def broken(**_values: Any) -> NoReturn:
        raise RuntimeError("the rankings are broken")

    guarded.hall.app.view_functions["player.show"] = broken
    answer = guarded.hall.app.test_client().get(guarded.filled("/p/{event}/1/{key}"))
    assert answer.status_code == 500
    assert f"Exception at GET player.show ({guarded.event}, 1)" in caplog.text
    assert "RuntimeError: the rankings are broken" in caplog.text
    assert guarded.key not in caplog.text


def test_a_refused_link_is_told_by_its_page(
    guarded: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    """Who helps a player at the door sees in the log that the link was wrong."""
    guarded.hall.app.test_client().get(guarded.filled("/p/{event}/1/{key}x"))
    line = f"refused with 404: GET player.show ({guarded.event}, 1)"
    assert line in [each.getMessage() for each in caplog.records]


def test_a_refused_order_is_told_with_its_reason(
    guarded: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    """The kind of the refusal, and its sentence with the gaps that the typed would fill."""
    guarded.hall.browser("director").post(f"/e/{guarded.event}/tables/codes", first="two")
    assert (
        f"refused with 422: POST tables.offer ({guarded.event}) (FieldError): "
        "Enter a number in digits: “{typed}” is not one."
    ) in [each.getMessage() for each in caplog.records]
