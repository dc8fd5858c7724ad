"""Documents as a chain, and a tournament as the text that a hub exports of it."""

from __future__ import annotations

from collections.abc import Iterable

from scoreboard.tournament.model.hash_chain import ORIGIN, Document, Link, linked
from scoreboard.tournament.model.tournament_transcript import (
    Transcript,
    header_document,
    record_document,
    write_links,
)


def chained(documents: Iterable[Document], previous: str = ORIGIN) -> tuple[Link, ...]:
    """The documents as a chain, in their order."""
    links: list[Link] = []
    for document in documents:
        links.append(linked(links[-1].hash if links else previous, document))
    return tuple(links)


def links_of(transcript: Transcript) -> tuple[Link, ...]:
    """The transcript as a chain of documents, the header first."""
    records = (record_document(record) for record in transcript.records)
    return chained((header_document(transcript.header), *records))


def write_transcript(transcript: Transcript) -> str:
    """The transcript as JSON lines, each linked to the one before."""
    return write_links(links_of(transcript))
