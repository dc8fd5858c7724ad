"""How well the table can be seen: too dark, burnt out, out of focus, covered, camera moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoreboard.message import Message, message
from scoreboard.table.proposal import HEALTHY, Health, Light
from vision.capture.frame import (
    CLEAR_EDGES,
    Frame,
    Image,
    PlayArea,
    calm_grey,
    downscaled,
    quantile,
    sharpness,
)
from vision.quality.calibration import Comparison, Fingerprint

LONGER_SIDE: Final = 320
EVERY_SECONDS: Final = 1.0
RESTLESS_SECONDS: Final = 5.0
STEADY_SHARE: Final = 0.12  # a fault ends when it is so much smaller than it had to be to begin

_BRIGHTEST: Final = 0.995
_BURNT: Final = 248
_HOLE: Final = 12.0  # pixels of the small picture: a small die
_DEEP: Final = 0.5  # a mirror image is transparent near its edge only
_PAPER: Final = 0.34  # what burnt paper counts as at most: amber, and out of red again
_DIM: Final = 95.0


@dataclass(frozen=True, slots=True)
class Measures:
    """The measurements of one picture.

    `brightness` is the grey level, 0 to 255, that only the brightest 0.5 % exceed; `burnt` the
    share of the picture that the largest pure white patch covers, `pierced` whether something small
    is visible inside of it: then it is white paper, not a lamp's reflection, which hides what is
    under it; `contrast` the grey levels between the darker and the lighter side of the clearest
    edges; `sharpness` the share of that contrast between two neighbouring pixels of the small
    picture, None without clear edges; `comparison` the picture against the calibration, None
    without one.
    """

    brightness: float
    burnt: float
    contrast: float
    sharpness: float | None
    comparison: Comparison | None = None
    pierced: bool = False


@dataclass(frozen=True, slots=True)
class HealthFault:
    """One possible fault: its thresholds and its messages."""

    badness: Callable[[Measures], float]
    amber_from: float
    red_from: float
    amber: Message
    red: Message

    def found(self, measures: Measures, before: Health) -> tuple[Light, Message] | None:
        """How bad it is; a fault found `before` ends only when it is clearly better."""
        badness = self.badness(measures)
        slack = 1.0 - STEADY_SHARE
        was_red = self.red in before.reasons
        was_amber = was_red or self.amber in before.reasons
        if badness >= self.red_from * (slack if was_red else 1.0):
            return Light.RED, self.red
        if badness >= self.amber_from * (slack if was_amber else 1.0):
            return Light.AMBER, self.amber
        return None


def measure(
    image: Image, fingerprint: Fingerprint | None = None, area: PlayArea | None = None
) -> Measures:
    """Measure a picture as the camera gave it, tray and surroundings.

    With a play area only the light inside counts: a lamp may be reflected next to it.
    """
    small = downscaled(image, LONGER_SIDE)
    grey = calm_grey(small)
    clearest, sharp = sharpness(grey)
    burnt, pierced = _burnt(small if area is None else area.cut(small))
    return Measures(
        brightness=quantile(grey if area is None else area.cut(grey), _BRIGHTEST),
        burnt=burnt,
        pierced=pierced,
        contrast=clearest,
        sharpness=sharp,
        comparison=None if fingerprint is None else fingerprint.compared(small),
    )


def judge(measures: Measures, before: Health = HEALTHY) -> Health:
    """The light for these measures; `before` keeps it from flickering at a threshold."""
    found = [each for fault in FAULTS if (each := fault.found(measures, before)) is not None]
    if (Light.RED, TOO_DARK) in found:
        return Health(Light.RED, (TOO_DARK,))  # nothing else can be measured in the dark
    red = tuple(reason for light, reason in found if light is Light.RED)
    if red:
        return Health(Light.RED, red)
    return Health(Light.AMBER, tuple(reason for _, reason in found)) if found else HEALTHY


def health(
    image: Image,
    fingerprint: Fingerprint | None = None,
    before: Health = HEALTHY,
    area: PlayArea | None = None,
) -> Health:
    """How well the table can be seen in this picture."""
    return judge(measure(image, fingerprint, area), before)


@dataclass(slots=True)
class HealthWatch:
    """Judges the frames of one camera, at most one a second, while the table is at rest.

    A table that never comes to rest is judged by its light and focus alone, as hands may cover the
    tray. `fingerprint` gives that of the tray's calibration, None without one; `area` the play
    area. A single photo is always judged.
    """

    fingerprint: Callable[[], Fingerprint | None] = lambda: None
    area: Callable[[], PlayArea | None] = lambda: None
    _now: Health | None = field(default=None, init=False)
    _due: datetime | None = field(default=None, init=False)
    _rested: bool | None = field(default=None, init=False)

    def __call__(self, frame: Frame, *, at_rest: bool) -> Health | None:
        """The health as of this frame; None until something was judged."""
        if frame.single:
            self._now = health(frame.image, self.fingerprint(), area=self.area())
            self._due, self._rested = None, None
        elif at_rest != self._rested:
            self._rested = at_rest
            self._due = frame.captured_at + timedelta(seconds=0 if at_rest else RESTLESS_SECONDS)
        if not frame.single and self._due is not None:
            clock_set_back = frame.captured_at < self._due - timedelta(seconds=RESTLESS_SECONDS)
            if frame.captured_at < self._due and not clock_set_back:
                return self._now
            known = self.fingerprint() if at_rest else None
            self._now = health(frame.image, known, self._now or HEALTHY, self.area())
            self._due = frame.captured_at + timedelta(seconds=EVERY_SECONDS)
        return self._now


def _burnt(small: Image) -> tuple[float, bool]:
    """The share of the largest burnt-out patch, and whether it has holes."""
    blue, green, red = cv2.split(small)
    mask = cv2.threshold(cv2.min(cv2.min(blue, green), red), _BURNT - 1, 1, cv2.THRESH_BINARY)[1]
    if not mask.any():
        return 0.0, False
    patches = cv2.connectedComponentsWithStats(mask)[2][1:]
    largest = np.asarray(patches[patches[:, cv2.CC_STAT_AREA].argmax()], np.int32)
    contours, tree = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    inner = [one for one, links in zip(contours, tree[0], strict=True) if links[3] >= 0]
    holes = [np.asarray(hole, np.int32) for hole in inner if cv2.contourArea(hole) >= _HOLE]
    share = float(largest[cv2.CC_STAT_AREA] / mask.size)
    return share, any(_depth(hole, largest) > _DEEP for hole in holes)


def _depth(hole: NDArray[np.int32], patch: NDArray[np.int32]) -> float:
    """How deep in a patch a hole is: 1 in its middle, 0 at its edge."""
    left, top, width, height = patch[:4]
    x, y = np.asarray(hole, np.float64).reshape(-1, 2).mean(axis=0)
    across, down = 2 * (x - left) / width - 1, 2 * (y - top) / height - 1
    return 1.0 - max(abs(float(across)), abs(float(down)))


def _lost(measures: Measures) -> float:
    """The share not found again; all of it if not even the shift is known."""
    comparison = measures.comparison
    if comparison is None:
        return 0.0
    return 1.0 if comparison.shift is None else 1.0 - min(comparison.seen, comparison.rim)


TOO_DARK: Final = message("It is too dark to read: switch on a lamp, or uncover the camera’s lens.")
FAULTS: Final = (
    HealthFault(
        lambda seen: 255.0 - seen.brightness,
        amber_from=160.0,
        red_from=221.0,
        amber=message("It is rather dark: switch on a lamp, or open the camera’s aperture."),
        red=TOO_DARK,
    ),
    HealthFault(
        lambda seen: min(seen.burnt, _PAPER) if seen.pierced else seen.burnt,
        amber_from=0.03,
        red_from=0.4,
        amber=message("A patch of glare hides part of the table: turn the lamp away or dim it."),
        red=message("Glare hides the table: turn the lamp away, or draw the curtain."),
    ),
    HealthFault(
        lambda seen: 0.0 if seen.sharpness is None else 1.0 / max(seen.sharpness, 0.01),
        amber_from=1 / 0.24,
        red_from=1 / 0.15,
        amber=message("The picture is not sharp: focus the camera, or wipe its lens."),
        red=message("The picture is too blurred to read: focus the camera, or wipe its lens."),
    ),
    HealthFault(
        # The light is enough, and still nothing is distinct; in the dark nothing can be
        lambda seen: 0.0 if seen.brightness < _DIM else CLEAR_EDGES - seen.contrast,
        amber_from=1.0,
        red_from=float("inf"),  # an empty tray of plain felt looks like that, too
        amber=message(
            "The camera sees one even surface: if something covers the lens or the tray, "
            "take it away."
        ),
        red=message("Take away what covers the lens or the tray."),
    ),
    HealthFault(
        lambda seen: 0.0 if seen.comparison is None else seen.comparison.shift or 0.0,
        amber_from=0.012,
        red_from=0.035,
        amber=message("The camera or the tray has moved a little since the calibration."),
        red=message(
            "The camera or the tray has moved since the calibration: put it back, or "
            "calibrate the tray again."
        ),
    ),
    HealthFault(
        _lost,
        amber_from=0.5,
        red_from=0.6,
        amber=message("Part of the tray’s rim is covered: take away what lies over it."),
        red=message(
            "The tray is covered, or the camera looks elsewhere: uncover the tray, or "
            "calibrate it again."
        ),
    ),
)
