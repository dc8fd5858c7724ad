"""Starts of `run` and `hub` in this process: one that is refused, or that is served to nobody."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from web.__main__ import tablescore
from web.shared.logs import OURS


@contextmanager
def logs_restored() -> Iterator[None]:
    """Have the levels and handlers of before at the end."""
    names = ["", *OURS]
    levels = [logging.getLogger(name).level for name in names]
    handlers = list(logging.getLogger().handlers)
    yield
    for handler in set(logging.getLogger().handlers) - set(handlers):
        logging.getLogger().removeHandler(handler)
        handler.close()
    for name, level in zip(names, levels, strict=True):
        logging.getLogger(name).setLevel(level)


def refused(command: str, *options: str, home: str | None = None) -> str:
    """What a start that is refused says: one sentence on stderr, exit status 1."""
    result = _called(command, *options, home=home)
    assert result.exit_code == 1, result.output
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def printed(command: str, *options: str, home: str | None = None) -> str:
    """What a start prints."""
    result = _called(command, *options, home=home)
    assert result.exit_code == 0, result.output
    return result.stdout


def _called(*arguments: str, home: str | None) -> Result:
    mask = os.umask(0o077)  # a hub sets its own
    os.umask(mask)
    environment = None if home is None else {"XDG_DATA_HOME": home}
    with pytest.MonkeyPatch.context() as patch, logs_restored():
        for command in ("run", "hub"):
            patch.setattr(f"web.cli.{command}.serve", _start_and_close)
        result = CliRunner().invoke(tablescore, [*arguments, "--port", "0"], env=environment)
    os.umask(mask)
    return result


def _start_and_close(
    _listening: object, start: Callable[[Any], Any], *_: object, **__: object
) -> None:
    with closing(start(SimpleNamespace(is_first=True, start_again=lambda *_: None))):
        pass
