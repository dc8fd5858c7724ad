"""How values of the hub are written down, whichever store keeps them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from scoreboard.tournament.model.hash_chain import canonical_json


def written(body: Mapping[str, Any]) -> str:
    """A JSON document in its one spelling, so that equal documents are equal texts.

    Raises:
        ValueError: it holds a number that JSON does not know.
        TypeError: it holds a value that JSON does not know.
    """
    return canonical_json(body).decode("ascii")


def read(text: str) -> Any:
    """The document that `written` wrote."""
    return json.loads(text)


def digest(secret: str) -> str:
    """SHA-256 of a token or code, in hexadecimal digits.

    No salt and no stretching: they are random and long, not chosen by people.
    """
    return sha256(secret.encode()).hexdigest()
