"""`tablescore verify`: whether an exported event is as the hub wrote it."""

from __future__ import annotations

from pathlib import Path

import click

from scoreboard.tournament.happening_json import TournamentTranscriptError
from scoreboard.tournament.hash_chain import Link
from scoreboard.tournament.tournament_transcript import Transcript, read_links, read_transcript
from web.commands.refusal import Refusal

SHORTEST_HASH = 12


@click.command(epilog="Example: tablescore verify final.jsonl --last 5e0c1f72a9d4")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--last",
    metavar="HASH",
    help="The last hash as it was read out or printed; its first twelve digits are enough.",
)
def verify(file: Path, last: str | None) -> None:
    """Check every link of the event exported to FILE.

    A record that was changed, dropped, added or moved is told with its line, and the exit status
    is 1. Whether records were cut off the end is seen from the last hash alone: compare it.
    """
    text = _text(file)
    transcript, links = _read(file, text)
    if last is not None:
        _require_last(links[-1], last)
    click.echo(
        f"“{transcript.header.title}”: {len(transcript.records)} records, every link holds; "
        f"the last hash is {links[-1].hash}."
    )


def _read(file: Path, text: str) -> tuple[Transcript, tuple[Link, ...]]:
    if not text.strip():
        raise Refusal(f"{file} is empty: export the event again.")
    try:
        transcript = read_transcript(text)
        _ = transcript.state  # refused where its points are not those of its scores
        return transcript, read_links(text)
    except TournamentTranscriptError as error:
        if not text.endswith("\n"):
            raise Refusal(f"{file}: {error} The end of the file is missing.") from error
        raise Refusal(f"{file}: {error}") from error


def _require_last(link: Link, told: str) -> None:
    """Whether the chain ends where it should."""
    wanted = told.strip().lower()
    if len(wanted) < SHORTEST_HASH:
        raise Refusal(f"“{told}” is too short: give twelve digits of the hash or more.")
    if not link.hash.startswith(wanted):
        raise Refusal(
            f"The record ends with {link.hash}, not with {wanted}: records are missing at its "
            "end, or there are more of them."
        )


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(f"{file} is no exported event: it is no text.") from error
