"""What a page without scripts offers: its links by their words, and the fields of its forms."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

FIELD: Final = re.compile(r"<(input|select|textarea|button)\b([^>]*)>([^<]*)")


def link(text: str, words: str) -> str:
    """The address of the first link of these words."""
    for address, inside in re.findall(r'<a\b[^>]*href="([^"]*)"[^>]*>(.*?)</a>', text, re.DOTALL):
        if " ".join(unescape(re.sub("<[^>]*>", " ", inside)).split()) == words:
            return unescape(address)
    raise AssertionError(f"no link “{words}”")


def fields(text: str, address: str) -> dict[str, str]:
    """The fields and named buttons of the form that is sent there, and what stands in them."""
    form = re.search(rf'<form\b[^>]*action="{re.escape(address)}".*?</form>', text, re.DOTALL)
    assert form is not None, address
    found = dict[str, str]()
    for kind, tag, inside in re.findall(FIELD, form[0]):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        filled = inside if kind == "textarea" else attributes.get("value", "")
        if "name" in attributes:
            found.setdefault(attributes["name"], unescape(filled))
    return found


def seen(text: str) -> dict[str, str]:
    """What a hub's page says that its forms have seen of an event; empty where none says so."""
    of_event = re.sub(r'<form\b[^>]*/messages".*?</form>', "", text, flags=re.DOTALL)
    found = re.search(r'name="seen" value="(\d+)"', of_event)
    return {} if found is None else {"seen": found[1]}


def confirmation(text: str) -> dict[str, str]:
    """What says yes to exactly the questions of a hub's page."""
    found = re.search(r'name="confirmed" value="(\w+)"', text)
    assert found is not None, text
    return {"confirmed": found[1]}
