"""House rules: what a table may agree on before a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from scoreboard.errors import NotationError, RuleViolationError
from scoreboard.message import Message, message


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to settle a house rule: its stored value, its words, and how a sheet prints it.

    `printed` is None where the sheet says nothing of it: for the default, and for what the
    game shows anyway.
    """

    value: str
    label: Message
    printed: Message | None = None


@dataclass(frozen=True, slots=True)
class OwnValue:
    """That a table may write a value of its own beside the choices.

    `hint` says how it is written, `read` gives it in its stored form or raises NotationError,
    `printed` says how a sheet prints it.
    """

    hint: Message
    read: Callable[[str], str]
    printed: Callable[[str], Message]


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule: its stored name, its words, the rule it is about, and its choices.

    The first choice is the default; with `own` a table may write another value.
    """

    name: str
    label: Message
    rule: str
    choices: tuple[Choice, ...]
    own: OwnValue | None = None

    @property
    def default(self) -> str:
        """The value where the table says nothing."""
        return self.choices[0].value

    def settled(self, given: Mapping[str, str]) -> Choice:
        """The choice that these options make.

        Raises:
            RuleViolationError: they name a value that is none of the choices.
        """
        value = given.get(self.name, self.default)
        for choice in self.choices:
            if choice.value == value:
                return choice
        if self.own is None:
            raise _unknown(self.rule, self.name, value)
        return self._own(self.own, value)

    def _own(self, own: OwnValue, text: str) -> Choice:
        try:
            value = own.read(text)
        except NotationError as error:
            raise RuleViolationError(self.rule, error.message) from error
        return Choice(value, message("{value}", value=value), own.printed(value))


def settled(options: Iterable[Option], given: Mapping[str, str]) -> dict[str, Choice]:
    """Settle all house rules of a game, each under its name.

    Raises:
        RuleViolationError: an option, or a value of one, that the game does not have.
    """
    choices = {option.name: option.settled(given) for option in options}
    for name, value in given.items():
        if name not in choices:
            raise _unknown("options", name, value)
    return choices


def _unknown(rule: str, name: str, value: str) -> RuleViolationError:
    return RuleViolationError(
        rule, message("This game has no option {name}: {value}.", name=name, value=value)
    )
