"""`tablescore verify`: whether an exported event is as the hub wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click

from scoreboard.games.engine.transcript import TranscriptError
from scoreboard.text_files import read_text
from scoreboard.tournament.model.hash_chain import Link
from scoreboard.tournament.model.tournament_transcript import (
    Transcript,
    read_links,
    read_transcript,
)
from web.cli.options import Refusal

SHORTEST: Final = 12


@click.command(epilog="Example: tablescore verify final.jsonl --last 5e0c1f72a9d4")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--last",
    metavar="HASH",
    help="The last hash as it was read out or printed; its first twelve digits are enough.",
)
@click.option(
    "--key",
    metavar="KEY",
    help="The key as it stands on the printed sheets; its first twelve digits are enough.",
)
def verify(file: Path, last: str | None, key: str | None) -> None:
    """Check every link of the event exported to FILE.

    A record that was changed, dropped, added or moved is named with its line, and the exit status
    is 1. Who computes every hash anew makes another record that holds: only the key that signed
    it shows whose it is, and only the last hash whether records were cut off its end. Compare both
    with what was printed or noted.
    """
    transcript, links = _read(file)
    if last is not None:
        _require_start("ends with the hash", links[-1].hash, last)
    if key is not None:
        _require_start("is signed with the key", links[-1].key, key)
    click.echo(
        f"“{transcript.header.title}”: {len(transcript.records)} records, every link holds; "
        f"the last hash is {links[-1].hash}."
    )
    for sentence in _signers(links):
        click.echo(sentence)
    if last is None:
        click.echo(
            "Not compared with a noted hash: records may be missing at the end. "
            "Give the hash with --last."
        )
        if key is None:
            whose = "Not compared with a printed key" if links[-1].key else "Not signed"
            click.echo(f"{whose}: somebody may have written all of it anew.")


def _signers(links: tuple[Link, ...]) -> Iterator[str]:
    first = 1
    for key, signed in groupby(links, key=lambda link: link.key):
        last = first + len(list(signed)) - 1
        by = f"signed with the key {key}" if key else "not signed: an older Tablescore wrote them"
        yield f"Lines {first} to {last}: {by}."
        first = last + 1


def _read(file: Path) -> tuple[Transcript, tuple[Link, ...]]:
    try:
        text = read_text(file)
    except UnicodeDecodeError as error:
        unread = "it is no text in UTF-8; export it again."
        raise Refusal(f"{file} is no exported event: {unread}") from error
    if not text.strip():
        raise Refusal(f"{file} is empty: export the event again.")
    try:
        transcript = read_transcript(text)
        _ = transcript.state  # refused where its points are not those of its scores
        return transcript, read_links(text)
    except TranscriptError as error:
        cut = "" if text.endswith("\n") else " The end of the file is missing."
        raise Refusal(f"{file}: {error}{cut}") from error


def _require_start(does: str, found: str, noted: str) -> None:
    """Refuse a record that is not the one of which somebody noted the first digits."""
    wanted = noted.strip().lower()
    if len(wanted) < SHORTEST:
        raise Refusal(f"“{noted}” is too short: give twelve digits or more.")
    if not found.startswith(wanted):
        raise Refusal(
            f"The record {does} {found or 'of nobody'}, not {wanted}: it is another record, or "
            "records are missing at its end, or there are more of them."
        )
