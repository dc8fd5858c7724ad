"""Mock pins of which one is in use, refused as lgpio refuses it."""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin


class LgpioError(Exception):
    """Stands for `lgpio.error`, which is neither an OSError nor one of gpiozero's errors."""


class BusyPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that cannot be claimed while its factory holds it to be in use."""

    def __init__(self, factory: BusyFactory, info: Any) -> None:
        super().__init__(factory, info)
        if info.name == f"GPIO{factory.busy}":
            raise LgpioError("GPIO busy")

    def _set_state(self, value: Any) -> None:
        if self.factory.fails:
            raise LgpioError("bad handle")
        super()._set_state(value)


class BusyFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of which `busy` belongs to another program; once `fails` is set none can be driven."""

    def __init__(self, busy: int | None = None) -> None:
        super().__init__(pin_class=BusyPin)
        self.busy = busy
        self.fails = False
