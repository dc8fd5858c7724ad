"""What a field of a format may hold, and what to say where it holds something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from scoreboard.message import Message, message


class FieldDomain(Protocol):
    """The values that a field may take, as TOML gives them."""

    def faults(self, field: str, value: object) -> Iterator[Message]:
        """Every fault of a value, each with its cure; none where it lies in the domain."""
        ...


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Whole numbers from `least` to `most`."""

    least: int
    most: int

    def faults(self, field: str, value: object) -> Iterator[Message]:
        """As in FieldDomain."""
        if type(value) is not int or not self.least <= value <= self.most:
            yield message(
                "{field} = {value}: write a whole number from {least} to {most}.",
                field=field,
                value=shown(value),
                least=self.least,
                most=self.most,
            )


@dataclass(frozen=True, slots=True)
class YesNo:
    """True or false."""

    def faults(self, field: str, value: object) -> Iterator[Message]:
        """As in FieldDomain."""
        if type(value) is not bool:
            yield message(
                "{field} = {value}: write true or false.", field=field, value=shown(value)
            )


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def faults(self, field: str, value: object) -> Iterator[Message]:
        """As in FieldDomain."""
        if value not in self.words:
            yield message(
                "{field} = {value}: write one of {words}.",
                field=field,
                value=shown(value),
                words=", ".join(self.words),
            )


@dataclass(frozen=True, slots=True)
class Words:
    """A name of 1 to `most` characters on one line."""

    most: int

    def faults(self, field: str, value: object) -> Iterator[Message]:
        """As in FieldDomain."""
        if (
            not isinstance(value, str)
            or not 1 <= len(value) <= self.most
            or not value.isprintable()
            or value != value.strip()
        ):
            yield message(
                "{field} = {value}: write a name of 1 to {most} characters on one line.",
                field=field,
                value=shown(value),
                most=self.most,
            )


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of `least` to `most` values of one domain, all different where `once`."""

    each: FieldDomain
    least: int
    most: int
    once: bool = False

    def faults(self, field: str, value: object) -> Iterator[Message]:
        """As in FieldDomain."""
        if not isinstance(value, tuple | list) or not self.least <= len(value) <= self.most:
            yield message(
                "{field} = {value}: write a list of {least} to {most}.",
                field=field,
                value=shown(value),
                least=self.least,
                most=self.most,
            )
            return
        for each in value:
            yield from self.each.faults(field, each)
        if self.once and len(set(map(str, value))) < len(value):
            yield message(
                "{field} = {value}: name each of them once.", field=field, value=shown(value)
            )


def shown(value: object) -> str:
    """A value as a format's text has it."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple() | list():
            return f"[{', '.join(map(shown, value))}]"
        case str():
            return f'"{value}"'
    return str(value)
