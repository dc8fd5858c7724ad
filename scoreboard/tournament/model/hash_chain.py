"""A tamper-evident record: every document carries the hash of the one before it, and a signature.

    key = SigningKey(32 secret bytes)
    signed = key.signed(linked(head, document))
    is_signed(signed)  # the link is enough to check

An Ed25519 signature identifies the key that wrote a link and, by its hash, all before it. The hub's
pages and prints show its key's first digits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

Document = Mapping[str, Any]
ORIGIN: Final = "0" * 64  # what the first document of a chain carries
PURPOSE: Final = "tablescore record 1\n"  # so that no signature of something else is one of a link


@dataclass(frozen=True, slots=True)
class Link:
    """A document in its chain: the hash of the link before, and its own over both.

    `key` and `signature` identify the writer, in hexadecimal digits; both are empty if unsigned.
    """

    document: Document
    previous: str
    hash: str
    key: str = ""
    signature: str = ""


def read_document(text: str) -> dict[str, Any]:
    """The JSON object of a text that every reader understands in the same way.

    Raises ValueError: no object, a member twice, a number or a letter that not every reader knows,
    or one too large or nested too deeply.
    """
    try:
        document = json.loads(text, object_pairs_hook=_members)
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError as error:
        raise ValueError("It is nested too deeply.") from error
    if not isinstance(document, dict):
        raise ValueError("It is no object.")  # noqa: TRY004 -- of the text, not of an argument
    return document


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("A member stands there twice.")
    return members


def canonical_json(document: Document) -> bytes:
    """A document as sorted members without blanks, in ASCII. Raises ValueError for NaN."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def hash_of(previous: str, document: Document) -> str:
    """SHA-256, in 64 hexadecimal digits, over the hash before and the document."""
    return sha256(canonical_json({"previous": previous, "document": document})).hexdigest()


def linked(previous: str, document: Document) -> Link:
    """The next link of a chain whose last hash is `previous`."""
    return Link(document, previous, hash_of(previous, document))


def verify(links: Sequence[Link], previous: str = ORIGIN) -> int | None:
    """The first broken place, from 0, or None; a cut end shows to those who keep the last hash."""
    for place, link in enumerate(links):
        if link.previous != previous or link.hash != hash_of(previous, link.document):
            return place
        previous = link.hash
    return None


class SigningKey:
    """The key of one hub, made of 32 secret bytes."""

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._private.public_key().public_bytes_raw().hex()

    def signed(self, link: Link) -> Link:
        """The link with this key and its signature."""
        signature = self._private.sign(_statement(link)).hex()
        return replace(link, key=self.public, signature=signature)


def is_signed(link: Link) -> bool:
    """Whether a link's named key wrote it."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(link.key))
        key.verify(bytes.fromhex(link.signature), _statement(link))
    except (InvalidSignature, ValueError):
        return False
    return True


def wrongly_signed(links: Sequence[Link]) -> int | None:
    """The first link, from 0, whose signature is wrong or missing, or None.

    Links before the first signature, such as an older hub's, need none: it covers them too.
    """
    begun = False
    for place, link in enumerate(links):
        begun = begun or bool(link.key or link.signature)
        if begun and not is_signed(link):
            return place
    return None


def _statement(link: Link) -> bytes:
    return f"{PURPOSE}{link.hash}".encode()
