"""Clips of a table at play, as scripts: what happens, frame by frame, and what is true of it.

A clip consists of acts (roll, wait, pass over, take, nudge, cut, shake, dim); the dice move by
physics. Frames in which nothing moves are one scene, drawn once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.train.rendering.evening import Cache, roll, write_json
from vision.train.rendering.geometry import Pose
from vision.train.rendering.tracing import LOOKS, TRAY, DiceRoll, Hand, Look, Scene, apart

FRAMES_PER_SECOND: Final = 15
_SAMPLES: Final = 10
_PHYSICS_PER_SECOND: Final = 100
_SETTLED: Final = 0.02  # of a die's side: half a pixel of these pictures
_APPROACH: Final = (-14.0, -11.0, -8.2, -5.6, -3.6)  # where the palm is, frame by frame
_AT_EDGE: Final = -13.0


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One frame: what is drawn, and what the camera and the light then make of it.

    `gain` is how bright the picture is, `shift` how far the camera has swayed, in pixels of
    the finished frame.
    """

    scene: Scene
    gain: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ActTruth:
    """What is true of one act of a clip.

    `first` is its first frame; `rest` the first frame that equals those after it; `roll` the dice
    then, ascending; `proposed` whether the table must propose it.
    """

    kind: str
    first: int
    rest: int
    roll: str
    proposed: bool


@dataclass(frozen=True, slots=True)
class Film:
    """A clip: its frames in order, and the truth."""

    frames: tuple[FilmFrame, ...]
    truth: tuple[ActTruth, ...]


class Director:
    """Shoots one clip, act by act; `film` is what was shot so far.

    The same acts with the same seed give the same film.
    """

    def __init__(self, look: Look, seed: int) -> None:
        self._look = look
        self._random = np.random.default_rng(seed)
        self._seed = seed
        self._on_table: tuple[Pose, ...] = ()
        self._frames: list[FilmFrame] = []
        self._truth: list[ActTruth] = []
        self._gain = 1.0
        self._sway = 0.0
        self._resting: Hand | None = None

    @property
    def film(self) -> Film:
        return Film(tuple(self._frames), tuple(self._truth))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * FRAMES_PER_SECOND)):
            self._shoot(self._on_table, self._resting)

    def roll(self, rolled: int, spinning_seconds: float = 0.0, *, hand_stays: bool = False) -> None:
        """Roll that many dice from the hand among those on the table.

        The first may go on whirling in its place, ever slower, when the others are still. The hand
        goes away, or stays where its fingers rest on the tray's edge.
        """
        first = self._frame
        made = self._roll(rolled)
        side = float(self._random.uniform(-1.0, 1.0))
        self._resting = _hand(side, _AT_EDGE, 0.1) if hand_stays else None
        for reach in _APPROACH[:-1]:
            self._shoot(self._on_table, _hand(side, reach, 0.8))
        for step, poses in enumerate(_flight(made)):
            gone = len(_APPROACH) - 1 - step
            self._shoot(poses, _hand(side, _APPROACH[gone], 0.1) if gone >= 0 else self._resting)
        self._on_table = made.rest
        for left in range(round(spinning_seconds * FRAMES_PER_SECOND), 0, -1):
            turn = 5.0 * left + 1.5 * left * left
            self._shoot((_turned(made.rest[0], turn), *made.rest[1:]))
        self._tell("throw", first, proposed=True)

    def roll_and_stay(self, rolled: int) -> None:
        """Roll, and leave the hand on the tray's edge."""
        self.roll(rolled, hand_stays=True)

    def withdraw(self) -> None:
        """Let the hand that rests on the edge go away."""
        first, self._resting = self._frame, None
        self._tell("withdraw", first, proposed=False)

    def pass_over(self, pause: int = 2, frames_each: int = 1) -> None:
        """Let a hand come over the dice, pause and go; `frames_each` makes it slow."""
        first = self._frame
        self._reach(self._on_table, pause, frames_each)
        self._tell("pass over", first, proposed=False)

    def take(self, kept: int) -> None:
        """Let a hand take all dice but the first `kept` ones away."""
        first = self._frame
        self._reach(self._on_table[:kept])
        self._tell("take", first, proposed=kept > 0)

    def nudge(self, sides: float) -> None:
        """Let a hand push the first die by that many sides of a die."""
        first = self._frame
        x, y, z = self._on_table[0].position
        moved = Pose((x, y + sides, z), self._on_table[0].quaternion)
        self._reach((moved, *self._on_table[1:]))
        self._tell("nudge", first, proposed=sides > 0.25)  # noqa: PLR2004  the rule of the table

    def cut(self, look: int, rolled: int) -> None:
        """Go on at another table of LOOKS, with that many dice already."""
        first = self._frame
        self._look, self._on_table = LOOKS[look], ()
        if rolled:
            self._on_table = self._roll(rolled).rest
        self._tell("cut", first, proposed=rolled > 0)

    def dim(self, gain: float, frames: int) -> None:
        """Let it become so bright, 1 as drawn, within that many frames."""
        first, before = self._frame, self._gain
        for step in range(1, frames + 1):
            self._gain = before + (gain - before) * step / frames
            self._shoot(self._on_table)
        self._tell("light", first, proposed=False)

    def shake(self, pixels: float) -> None:
        """From here on let the camera sway by that many pixels, 0 for a firm one."""
        self._sway = pixels
        self._tell("shake", self._frame, proposed=False)

    @property
    def _frame(self) -> int:
        return len(self._frames)

    def _shoot(self, dice: Sequence[Pose], hand: Hand | None = None) -> None:
        x, y = (float(one) for one in self._random.normal(0.0, 1.0, 2) * self._sway)
        scene = Scene(self._look, tuple(dice), hand, _SAMPLES, self._seed)
        self._frames.append(FilmFrame(scene, self._gain, (x, y)))

    def _reach(self, left: tuple[Pose, ...], pause: int = 2, frames_each: int = 1) -> None:
        """Reach in, and leave these dice behind: they change while the hand covers them."""
        side = float(self._random.uniform(-1.0, 1.0))
        coming = [(self._on_table, reach) for reach in _APPROACH]
        over = [(left, -2.4)] * pause
        going = [(left, reach) for reach in reversed(_APPROACH)]
        for dice, reach in (*coming, *over, *going):
            for _ in range(frames_each):
                self._shoot(dice, _hand(side, reach, 0.6))
        self._on_table = left

    def _roll(self, rolled: int) -> DiceRoll:
        seed = int(self._random.integers(1, 1_000_000))
        return roll(seed, TRAY, self._on_table, rolled)

    def _tell(self, kind: str, first: int, *, proposed: bool) -> None:
        roll = "".join(str(face) for face in sorted(pose.top for pose in self._on_table))
        self._truth.append(ActTruth(kind, first, self._frame, roll, proposed))


# The clips that the tests watch: their first table in LOOKS, their seed, and the director's acts.
_SCRIPTS: Final[Mapping[str, str]] = {
    # A turn at an empty tray: roll, look, take some dice, roll them again, take all
    "turn": """0, 31, wait 1.0, roll 5, wait 1.4, pass_over, wait 1.0, take 2, wait 1.0, roll 3,
        wait 1.4, pass_over 10 3, wait 1.0, take 0, wait 1.0""",
    # Light that changes, a camera that sways, dice that are pushed
    "trouble": """1, 32, roll 4, wait 1.2, dim 0.7 2, wait 1.0, dim 1.15 20, wait 1.0, nudge 0.12,
        wait 1.0, nudge 0.9, wait 1.0, shake 0.5, wait 2.0, roll 1, wait 2.0""",
    # Scenes that change at once: from table to table, an empty one among them
    "cuts": "3, 33, cut 3 5, wait 1.2, cut 4 3, wait 1.2, cut 5 0, wait 1.0, cut 7 2, wait 1.2",
    # A die that whirls in its place long after the others are still
    "spin": "6, 34, roll 2 1.4, wait 1.4",
    # A hand that rolls, and then rests on the tray's edge
    "edge": "4, 35, wait 0.4, roll_and_stay 3, wait 1.4, withdraw, wait 1.0",
}


def clips() -> dict[str, Film]:
    """All clips, by name."""
    return {name: _filmed(script) for name, script in _SCRIPTS.items()}


def _filmed(script: str) -> Film:
    look, seed, *acts = script.split(",")
    director = Director(LOOKS[int(look)], int(seed))
    for act in acts:
        name, *figures = act.split()
        getattr(director, name)(*map(json.loads, figures))
    return director.film


def scenes(films: Iterable[Film]) -> list[Scene]:
    """Every scene that has to be drawn, each once, in order."""
    return list(dict.fromkeys(frame.scene for film in films for frame in film.frames))


def _flight(made: DiceRoll) -> list[tuple[Pose, ...]]:
    """The dice underway, frame by frame; what stays within _SETTLED of its rest has come to it."""
    steps = range(len(made.flight) * FRAMES_PER_SECOND // _PHYSICS_PER_SECOND)
    at = [round(step * _PHYSICS_PER_SECOND / FRAMES_PER_SECOND) for step in steps]
    frames = [made.flight[frame] for frame in at]
    last = max(step for step, poses in enumerate(frames) if apart(poses, made.rest) > _SETTLED)
    return frames[: last + 1]


def _hand(side: float, reach: float, curl: float) -> Hand:
    return Hand((side, reach, 3.6 if reach > _APPROACH[3] else 4.4), side * 8.0, curl)


def _turned(pose: Pose, degrees: float) -> Pose:
    """The die turned about the upright axis through its middle."""
    half = np.radians(degrees) / 2
    sine, cosine = float(np.sin(half)), float(np.cos(half))
    x, y, z, w = pose.quaternion
    level = (cosine * x - sine * y, cosine * y + sine * x)
    return replace(pose, quaternion=(*level, cosine * z + sine * w, cosine * w - sine * z))


WIDTH_PIXELS: Final = 320
HEIGHT_PIXELS: Final = 240
_NOISE_LEVELS: Final = 1.6
_USUAL_FORMAT: Final = ("mp4", "mp4v")
FORMATS: Final = {"edge": ("avi", "MJPG")}  # five times as large: one short clip


class FilmError(OSError):
    """A clip could not be written."""


def write_clips(cache: Cache, out: Path) -> Iterator[str]:
    """Write every clip of `clips` and `truth.json`; gives each clip's file name when it is done.

    Raises:
        FilmError: OpenCV cannot write one.
    """
    films = clips()
    for number, (name, film) in enumerate(films.items()):
        suffix, codec = FORMATS.get(name, _USUAL_FORMAT)
        path = out / f"{name}.{suffix}"
        write_clip(path, frames(film, cache.picture, number), codec)
        yield path.name
    write_truth(out / "truth.json", films)


def frames(film: Film, picture: Callable[[Scene], Image], seed: int) -> Iterator[Image]:
    """The film's frames in order, 240 x 320 x 3, each with fresh noise of the sensor.

    `picture` draws a scene; it is asked once for scenes that follow each other unchanged.
    """
    random = np.random.default_rng(seed)
    scene, small = None, np.zeros((HEIGHT_PIXELS, WIDTH_PIXELS, 3), np.float32)
    for frame in film.frames:
        if frame.scene != scene:
            scene = frame.scene
            image = picture(scene)
            size = (WIDTH_PIXELS, HEIGHT_PIXELS)
            small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        noise = random.normal(0.0, _NOISE_LEVELS, small.shape)
        yield np.clip(_taken(small, frame) + noise, 0, 255).round().astype(np.uint8)


def write_clip(path: Path, pictures: Iterator[Image], codec: str) -> None:
    """Write a video of frames; `codec` is mp4v or MJPG.

    Raises:
        FilmError: OpenCV cannot write it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    size = (WIDTH_PIXELS, HEIGHT_PIXELS)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), FRAMES_PER_SECOND, size)
    if not writer.isOpened():
        raise FilmError(f"{path} cannot be written as {codec}; choose another place or codec")
    for picture in pictures:
        writer.write(picture)
    writer.release()


def write_truth(path: Path, films: dict[str, Film]) -> None:
    """Write what happens in each clip, as JSON."""
    truth = {
        name: {
            "frames": len(film.frames),
            "frames_per_second": FRAMES_PER_SECOND,
            "events": [asdict(event) for event in film.truth],
        }
        for name, film in films.items()
    }
    write_json(path, truth)


def _taken(small: NDArray[np.float32], frame: FilmFrame) -> NDArray[np.float32]:
    if frame.shift == (0.0, 0.0):
        return small * frame.gain
    matrix = np.array([[1, 0, frame.shift[0]], [0, 1, frame.shift[1]]], np.float32)
    size = (WIDTH_PIXELS, HEIGHT_PIXELS)
    return frame.gain * cv2.warpAffine(small, matrix, size, borderMode=cv2.BORDER_REPLICATE)
