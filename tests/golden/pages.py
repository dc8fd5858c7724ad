"""Pages as their readers have them: the visible text, and the forms with what stands in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

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
