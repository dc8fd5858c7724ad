"""Who wrote a record: Ed25519 signatures over the hashes of its chain.

    key = SigningKey(32 secret bytes)
    signed = key.signed(linked(head, document))
    is_signed(signed)  # whoever has the link can tell

A signature says which key wrote a link and, by its hash, all before it. That a key is a certain
hub's is told by what the hub showed and printed: its first digits stand there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from scoreboard.tournament.model.hash_chain import Link

PURPOSE: Final = "tablescore record 1\n"  # so that no signature of something else is one of a link


class SigningKey:
    """The key of one hub, made of 32 bytes that nobody else knows."""

    def __init__(self, secret: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._private.public_key().public_bytes_raw().hex()

    def signed(self, link: Link) -> Link:
        """The link with this key and its signature."""
        signature = self._private.sign(_statement(link)).hex()
        return replace(link, key=self.public, signature=signature)


def is_signed(link: Link) -> bool:
    """Whether the key that a link names wrote it."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(link.key))
        key.verify(bytes.fromhex(link.signature), _statement(link))
    except (InvalidSignature, ValueError):
        return False
    return True


def wrongly_signed(links: Sequence[Link]) -> int | None:
    """The first link, from 0, whose signature is wrong or missing; None where there is none.

    The links of an older hub have none, and those before the first signature need none: it
    covers them too. After it none may be missing.
    """
    begun = False
    for place, link in enumerate(links):
        begun = begun or bool(link.key or link.signature)
        if begun and not is_signed(link):
            return place
    return None


def _statement(link: Link) -> bytes:
    return f"{PURPOSE}{link.hash}".encode()
