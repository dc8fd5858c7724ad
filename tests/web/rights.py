"""The addresses of an application with the right that each declares, and the list of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flask import Flask

from web.shared.faults import PageRule


def page_rules(app: Flask) -> Iterator[PageRule]:
    """Every address of the application."""
    for rule in app.url_map.iter_rules():
        assert isinstance(rule, PageRule)
        yield rule


def declared(app: Flask) -> dict[str, str]:
    """What right each `POST /address` takes, and which for the game on the table."""
    return {
        f"{method} {rule.rule}": f"{rule.right}{f' ({rule.on_table})' if rule.on_table else ''}"
        for rule in page_rules(app)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    }


def listed(name: str) -> dict[str, str]:
    """What rights the list of `table` or `hub` names, in `rights_of_NAME.txt`."""
    text = Path(__file__).with_name(f"rights_of_{name}.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines())
    return {address: right for address, _, right in lines}


def right_of(app: Flask, endpoint: str) -> str | None:
    """The right of a page by the name of its view."""
    return next(rule.right for rule in page_rules(app) if rule.endpoint == endpoint)
