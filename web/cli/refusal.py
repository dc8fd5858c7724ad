"""A fault that a command tells in one plain sentence."""

from __future__ import annotations

from typing import Any

import click


class Refusal(click.ClickException):
    """Ends the command with the sentence on stderr and exit status 1."""

    def show(self, file: Any = None) -> None:
        """Tell the sentence, without a word before it."""
        click.echo(self.format_message(), err=True, file=file)
