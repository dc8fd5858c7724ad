"""`tablescore verify`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Entered
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.hash_chain import SigningKey
from scoreboard.tournament.model.tournament_transcript import (
    TournamentEvent,
    TournamentHeader,
    Transcript,
    write_links,
)
from tests.scoreboard.tournament.model.chains import chained, links_of, write_transcript
from tests.web.cli.calling import call

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
EVENT = Transcript(
    TournamentHeader("t1", "Club evening", FORMATS["club-evening"], NOON),
    tuple(
        TournamentEvent(number, NOON, "director", Entered(Entrant(number, name)))
        for number, name in enumerate(("North", "South", "East"), start=1)
    ),
)
TEXT = write_transcript(EVENT)
KEY, OTHER = SigningKey(bytes(32)), SigningKey(b"2" * 32)
LINKS = tuple(map(KEY.signed, links_of(EVENT)))
SIGNED = write_links(LINKS)
WRITTEN_ANEW = write_links(map(OTHER.signed, links_of(EVENT)))
LAST = links_of(EVENT)[-1].hash


def _rehashed(was: str, now: str) -> bytes:
    """The export with something changed, and every hash reckoned anew."""
    documents = (json.dumps(link.document) for link in links_of(EVENT))
    changed = (json.loads(each.replace(was, now, 1)) for each in documents)
    return write_links(chained(changed)).encode()


def verify(folder: Path, text: str | bytes, *options: str) -> Result:
    """Run the command on a file with that text."""
    file = folder / "event.jsonl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return call("verify", str(file), *options)


def test_a_whole_record_is_reported_in_one_sentence(tmp_path: Path) -> None:
    """How many records, and the hash that stands for all of them."""
    result = verify(tmp_path, TEXT)
    assert result.exit_code == 0
    sentence = f"“Club evening”: 3 records, every link holds; the last hash is {LAST}.\n"
    assert result.stdout.startswith(sentence)


def test_what_cannot_be_known_without_a_note_is_said(tmp_path: Path) -> None:
    """A chain tells nothing of its end, and whoever reckons all of it anew has one that holds."""
    unsigned = verify(tmp_path, TEXT).stdout
    assert "Lines 1 to 4: not signed: an older Tablescore wrote them." in unsigned
    assert "Not compared with a noted hash: records may be missing at the end." in unsigned
    assert "Not signed: somebody may have written all of it anew." in unsigned
    assert "Not compared" not in verify(tmp_path, TEXT, "--last", LAST).stdout
    signed = verify(tmp_path, SIGNED).stdout
    assert f"Lines 1 to 4: signed with the key {KEY.public}." in signed
    assert "Not compared with a printed key: somebody may have written all of it anew." in signed
    noted = verify(tmp_path, SIGNED, "--key", KEY.public[:16].upper()).stdout
    assert "anew" not in noted
    assert "Not compared with a noted hash" in noted


def test_a_record_that_somebody_else_signed_is_noticed(tmp_path: Path) -> None:
    """By the key, which stands on every sheet; so is one whose signatures were left out."""
    for text, sentence in ((WRITTEN_ANEW, OTHER.public), (TEXT, "of nobody")):
        result = verify(tmp_path, text, "--key", KEY.public[:16])
        assert result.exit_code == 1
        assert f"is signed with the key {sentence}, not {KEY.public[:16]}" in result.stderr


def test_a_wrong_or_missing_signature_is_named(tmp_path: Path) -> None:
    """Once a record is signed, all that follows is; what stood there before need not be."""
    lines, unsigned = SIGNED.splitlines(keepends=True), TEXT.splitlines(keepends=True)
    borrowed = lines[2].replace(LINKS[2].signature, LINKS[1].signature)
    for second, third in ((lines[1], unsigned[2]), (lines[1], borrowed), (unsigned[1], borrowed)):
        result = verify(tmp_path, "".join((unsigned[0], second, third, lines[3])))
        assert (result.exit_code, "Line 3 is not signed by the key" in result.stderr) == (1, True)
    later = verify(tmp_path, "".join((*unsigned[:2], *lines[2:])))
    assert "Lines 1 to 2: not signed" in later.stdout
    assert f"Lines 3 to 4: signed with the key {KEY.public}." in later.stdout


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [("South", "Souths", 3), ("North", "Norths", 2), ("Club evening", "Club evenings", 1)],
)
def test_a_changed_line_is_named(tmp_path: Path, was: str, now: str, line: int) -> None:
    """Whoever looks for the change need not search."""
    result = verify(tmp_path, TEXT.replace(was, now, 1))
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"broken at line {line}." in result.stderr


def test_a_line_that_breaks_off_is_reported(tmp_path: Path) -> None:
    """As after a copy that was cut short."""
    result = verify(tmp_path, TEXT[:-20])
    assert result.exit_code == 1
    assert "Line 4 is no record of a tournament. The end of the file is missing." in result.stderr


def test_a_cut_end_is_seen_from_the_last_hash(tmp_path: Path) -> None:
    """The chain alone cannot tell; the hash kept elsewhere can."""
    cut = "".join(TEXT.splitlines(keepends=True)[:-1])
    assert verify(tmp_path, cut).exit_code == 0
    result = verify(tmp_path, cut, "--last", LAST[:12])
    assert result.exit_code == 1
    assert "records are missing at its end" in result.stderr
    assert verify(tmp_path, TEXT, "--last", LAST[:12].upper()).exit_code == 0
    assert "too short" in verify(tmp_path, TEXT, "--last", LAST[:4]).stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "is empty"),
        (b"\xff\xfe\xfd", "it is no text in UTF-8; export it again"),
        (b"game yahtzee\n", "Line 1 is no record"),
        (b"{}\n", "Line 1 is no record"),
        (b"[1, 2]\n", "Line 1 is no record"),
        (b"[" * 100_000, "Line 1 is no record"),
        (b'{"hash": ' + b"9" * 5000 + b"}\n", "Line 1 is no record"),
        (TEXT.replace('{"hash"', '{"note": "evil", "hash"', 1).encode(), "Line 1 is no record"),
        (TEXT.replace("}\n", ', "document": {"a": 1}}\n', 1).encode(), "Line 1 is no record"),
        (TEXT.replace("North", "\\ud800").encode(), "Line 2 is no record"),
        (TEXT.replace('"sequence": 1', '"sequence": 1e999').encode(), "Line 2 is no record"),
        (TEXT.replace("rounds =", "rounds = " + "[" * 100_000).encode(), "broken at line 1"),
        (_rehashed("rounds =", "rounds = " + "[" * 100_000), "nested too deeply"),
    ],
)
def test_what_is_no_export_ends_in_one_sentence(tmp_path: Path, text: bytes, sentence: str) -> None:
    """Whatever somebody names by mistake."""
    result = verify(tmp_path, text)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_record_that_an_editor_saved_still_holds(tmp_path: Path, encoding: str) -> None:
    """A byte order mark and another line break change no record."""
    result = verify(tmp_path, TEXT.replace("\n", "\r\n").encode(encoding))
    assert result.stdout.startswith("“Club evening”: 3 records, every link holds")
