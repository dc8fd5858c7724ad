"""A format as TOML: written to be edited by hand, and read back as it was."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoreboard.message import Message, message
from scoreboard.tournament.model.domain import shown
from scoreboard.tournament.model.format_checks import format_faults
from scoreboard.tournament.model.format_fields import FIELDS, STAGE_FIELDS, FormatField
from scoreboard.tournament.model.refusal import FormatError
from scoreboard.tournament.model.tournament_format import Stage, TournamentFormat


def write_format(form: TournamentFormat) -> str:
    """The format as TOML, every field on a line, each stage a table of its own."""
    lines = list(_lines(form, FIELDS))
    for stage in form.stages:
        lines += ["", "[[stages]]", *_lines(stage, STAGE_FIELDS)]
    return "".join(f"{line}\n" for line in lines)


def read_format(text: str) -> TournamentFormat:
    """Read what `write_format` writes; fields that are left out stand at their default.

    Raises:
        FormatError: the text is no TOML, a field is unknown or holds what it may not, or the
            whole could not be played; its `faults` are all of them.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        unread = message("The format is no TOML: {why}.", why=str(error))
        raise FormatError((unread,)) from error
    return format_from_document(document)


def format_from_document(document: Mapping[str, Any]) -> TournamentFormat:
    """The format that some fields say, as a form or TOML gives them.

    Raises:
        FormatError: as for `read_format`.
    """
    stages = document.get("stages", [])
    faults = tuple(_shape_faults(document, stages))
    if faults:
        raise FormatError(faults)
    form = TournamentFormat(
        **{name: _frozen(value) for name, value in document.items() if name != "stages"},
        stages=tuple(Stage(**stage) for stage in stages),
    )
    if wrong := format_faults(form):
        raise FormatError(wrong)
    return form


def _lines(record: object, fields: Sequence[FormatField]) -> Iterator[str]:
    for field in fields:
        yield f"{field.name} = {_toml(getattr(record, field.name))}"


def _toml(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return shown(value)


def _shape_faults(document: Mapping[str, Any], stages: object) -> Iterator[Message]:
    if "name" not in document:
        yield message('A format needs a name: write name = "Club evening".')
    yield from _unknown(document, (*(field.name for field in FIELDS), "stages"), "")
    if not isinstance(stages, list) or not all(isinstance(stage, dict) for stage in stages):
        yield message("stages: write each stage under a line [[stages]].")
        return
    for stage in stages:
        yield from _unknown(stage, [field.name for field in STAGE_FIELDS], "stages.")
        for needed in ("name", "entrants"):
            if needed not in stage:
                yield message("A stage needs the field {field}.", field=needed)


def _unknown(given: Mapping[str, Any], known: Sequence[str], prefix: str) -> Iterator[Message]:
    for name in given:
        if name not in known:
            yield message(
                "No field is called {field}: there are {known}.",
                field=f"{prefix}{name}",
                known=", ".join(known),
            )


def _frozen(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value
