"""Somebody at a hub or a table: opens pages, fills their forms in, and keeps what was answered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from flask import Flask
from werkzeug.test import Client, TestResponse

from tests.golden.pages import Page
from tests.golden.seams import HOST, Clock
from tests.web.forms import seen

HOME: Final = f"http://{HOST}"
SEE_OTHER: Final = 303


class RefusedFormError(Exception):
    """A form came back with a fault."""


class Visitor:
    """A browser at a hub; every request takes a second of the hub's clock."""

    def __init__(self, app: Flask, clock: Clock) -> None:
        self._client = Client(app)
        self._clock = clock

    def get(self, path: str, **headers: str) -> str:
        answer = self._asked("GET", path, headers=headers)
        if answer.status_code != 200:
            raise RefusedFormError(f"{path}: {answer.status}")
        return answer.text

    def post(self, path: str, **fields: str) -> TestResponse:
        """Send fields to an address as a form of its own page would."""
        event = re.match(r"/e/[^/]+/", path)
        # the desk was looked at before, so the clock stays as it is
        desk = self._client.get(f"{event[0]}desk", base_url=HOME).text if event else ""
        fields = seen(desk) | fields
        return self._asked("POST", path, data=fields, headers={"Origin": HOME})

    def upload(self, path: str, text: str) -> TestResponse:
        fields = {"file": (BytesIO(text.encode()), "file")}
        return self._asked("POST", path, data=fields, headers={"Origin": HOME})

    def tell(self, path: str, token: str, document: Mapping[str, Any]) -> Any:
        """Send a message of the protocol; the answer as JSON values, with its status."""
        headers = {"Authorization": f"Bearer {token}"}
        answer = self._asked("POST", path, json=document, headers=headers)
        return {"status": answer.status_code, "answer": answer.json}

    def submit(self, page: str, action: str, **filled: str) -> str:
        """Fill in a form of a page and send it, again where it asks; where it led to.

        Raises:
            RefusedFormError: it came back with a fault.
        """
        answer = self.offer(page, action, **filled)
        if answer.status_code != SEE_OTHER:
            raise RefusedFormError(f"{action}: {answer.status}\n{Page(answer.text).text}")
        return answer.headers["Location"]

    def offer(self, page: str, action: str, **filled: str) -> TestResponse:
        """Fill in a form of a page and send it, again where it asks; the answer, yes or no."""
        fields = Page(self.get(page)).form(action).fields | filled
        answer = self.post(action, **fields)
        confirmed = Page(answer.text).confirmation
        return self.post(action, **fields, **confirmed) if confirmed else answer

    def _asked(self, method: str, path: str, **request: Any) -> TestResponse:
        self._clock.tick()
        return self._client.open(path, method=method, base_url=HOME, **request)
