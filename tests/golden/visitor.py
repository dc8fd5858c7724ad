"""A visitor of a hub or a table: opens pages, reads them, fills in their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from io import BytesIO
from typing import Any, Final

from flask import Flask
from werkzeug.test import Client, TestResponse

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


UNSEEN: Final = frozenset({"script", "style", "template", "head"})
INLINE: Final = frozenset({"a", "abbr", "b", "em", "i", "small", "span", "strong", "sub", "sup"})
SPOKEN: Final = ("alt", "aria-label", "placeholder", "title")
FILLED: Final = frozenset({"text", "number", "password", "search", "submit"})
CONFIRMED: Final = "confirmed"  # the button by which a question of the hub is answered
VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})


@dataclass
class Form:
    """A form of a page: where it is sent, and its fields as they stand."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A page that was read; `text` has a line for each block of it.

    `confirmation` is what its question is answered with, empty where it asks none.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.confirmation: dict[str, str] = {}
        self._words: list[str] = []
        self._unseen = 0
        self._select = ""
        self._area = ""
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """The visible text, and what a reader of the screen is told in its place."""
        lines = "".join(self._words).splitlines()
        return "".join(f"{' '.join(line.split())}\n" for line in lines if line.strip())

    def form(self, action: str) -> Form:
        return next(form for form in self.forms if form.action == action)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self._unseen += tag in UNSEEN
        if tag not in INLINE:
            self._words.append("\n")
        self._words.extend(f"[{told[name]}] " for name in SPOKEN if told.get(name))
        if tag == "input" and told.get("type", "text") in FILLED and told.get("value"):
            self._words.append(f"[{told['value']}] ")
        if tag == "form":
            self.forms.append(Form(told.get("action", "")))
        elif self.forms:
            self._keep_field(tag, told)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in UNSEEN
        if tag not in INLINE | VOID:
            self._words.append("\n")
        if tag == "select":
            self._select = ""
        if tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        """Take text; that of a field which is larger than a line is the field's too."""
        if not self._unseen:
            self._words.append(data if self._area else data.replace("\n", " "))
        if self._area:
            self.forms[-1].fields[self._area] += data

    def _keep_field(self, tag: str, told: dict[str, str]) -> None:
        fields, name = self.forms[-1].fields, told.get("name", "")
        if tag == "button" and name == CONFIRMED:
            self.confirmation = {name: told["value"]}
        elif tag == "input" and name:
            chosen = told.get("type") not in {"checkbox", "radio", "file"} or "checked" in told
            if chosen:
                fields[name] = told.get("value", "")
        elif tag == "textarea" and name:
            self._area = name
            fields[name] = ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            first = self._select not in fields
            if first or "selected" in told:
                fields[self._select] = told.get("value", "")
