"""How a device shows the pages: light or dark, large, for left hands, with high contrast.

Each device has its own, in a cookie; nothing of it reaches the table.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from flask import Blueprint, Flask, Response, render_template, request

from scoreboard.message import Message, message
from web.table.parts import to

COOKIE: Final = "display"
# Every choice by its name, the default first.
CHOICES: Final[dict[str, tuple[Message, dict[str, Message]]]] = {
    "theme": (
        message("Light or dark"),
        {
            "system": message("As the device has it"),
            "light": message("Light"),
            "dark": message("Dark"),
        },
    ),
    "text": (message("Text"), {"normal": message("Normal"), "large": message("Larger")}),
    "contrast": (
        message("Contrast"),
        {"system": message("As the device has it"), "high": message("High")},
    ),
    "hand": (
        message("KEEP lies"),
        {
            "right": message("on the left, UNDO on the right"),
            "left": message("on the right, for left hands"),
        },
    ),
}


def chosen_display(written: str) -> dict[str, str]:
    """The choices in the cookie; the default for missing or invalid ones."""
    pairs = dict(part.split("=", 1) for part in written.split("&") if "=" in part)
    return {
        name: pairs[name] if pairs.get(name) in values else next(iter(values))
        for name, (_, values) in CHOICES.items()
    }


def current_display() -> dict[str, str]:
    """The choices of the device that asks."""
    return chosen_display(request.cookies.get(COOKIE, ""))


def display_views() -> Blueprint:
    """`/display`."""
    views = Blueprint("display", __name__)

    @views.get("/display", right="stranger")
    def show() -> str:
        return render_template("display.html", choices=CHOICES)

    @views.post("/display", right="stranger")
    def choose() -> Response:
        chosen = chosen_display("&".join(f"{name}={request.form.get(name)}" for name in CHOICES))
        answer = to("table.show")
        answer.set_cookie(
            COOKIE,
            "&".join(f"{name}={value}" for name, value in chosen.items()),
            max_age=timedelta(days=365),
            httponly=True,
            samesite="Lax",
        )
        return answer

    return views


def add_display(app: Flask) -> None:
    """Let every page of the application be drawn as its device has chosen."""
    app.register_blueprint(display_views())
    app.context_processor(lambda: {"display": current_display()})
