"""Taught sets: their trust, and their storage, a folder each."""

from __future__ import annotations

import hashlib
import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import tomli_w

from scoreboard.message import Message, message
from scoreboard.text_files import read_text
from vision.capture.frame import Image
from vision.capture.photo import encode_jpeg, open_photo
from vision.errors import PhotoError, TaughtSetError
from vision.learn.prototypes import Likeness
from vision.learn.quads import Format


@dataclass(frozen=True, slots=True)
class ExaminationScore:
    """The result of an examination: counts of pieces; `held_back` as in Examination.

    Of the set's `pieces` some were read `right`, with or without a doubt; `asked` ones were
    doubted, refused or not found. Of the `strangers` those `refused` were not taken for a face of
    the set without a doubt.
    """

    held_back: bool
    pieces: int
    right: int
    asked: int
    silent: int
    strangers: int
    refused: int


@dataclass(frozen=True, slots=True, eq=False)
class TaughtSet:
    """A set that was taught.

    `revision` counts how often the name was taught; `taught_at` is aware UTC; a set that is not
    `trusted` is always read with a doubt. `score` is its examination's, None without one.
    `pictures` shows faces laid flat, height x width x 3.
    """

    name: str
    likeness: Likeness
    trusted: bool
    taught_at: datetime
    score: ExaminationScore | None = None
    revision: int = 1
    pictures: Mapping[str, Image] = field(default_factory=dict)


FORMAT: Final = 2  # raised when what is stored changes so that older programs cannot read it
_READABLE: Final = (1, FORMAT)  # the first one lacked what a photograph's pieces share
DESCRIPTION: Final = "set.toml"
CHOICE: Final = "tiles.txt"  # in the folder of all sets: the one that plays Rummikub
PROTOTYPES: Final = "prototypes.npz"
FACE: Final = "face-{:02}.jpg"
NAME: Final = re.compile(r"\w(?:[\w \-]{0,58}\w)?")
_ARRAYS: Final = ("middle", "axes", "prototypes")
_SHARED: Final = "shared"


def name_fault(name: str) -> Message | None:
    """The reason no set can have that name, or None."""
    if NAME.fullmatch(name):
        return None
    return message(
        "“{name}” cannot name a set: use letters, digits, blanks and hyphens, 60 at most.",
        name=name,
    )


class TaughtSets:
    """All taught sets, one folder each in `folder`, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        """The names of all sets, in alphabetical order."""
        return tuple(sorted(path.parent.name for path in self.folder.glob(f"*/{DESCRIPTION}")))

    def load(self, name: str) -> TaughtSet:
        """Raises TaughtSetError: there is none, it is damaged, or of a later Tablescore."""
        place = self._place(name)
        try:
            description = tomllib.loads(read_text(place / DESCRIPTION))
        except FileNotFoundError as error:
            if not self.names():
                missing = message(
                    "There is no taught set “{name}”, nor any other: "
                    "teach it with “tablescore teach”.",
                    name=name,
                )
            else:
                missing = message(
                    "There is no taught set “{name}”; there is: {names}.",
                    name=name,
                    names=", ".join(self.names()),
                )
            raise TaughtSetError(missing) from error
        except (OSError, ValueError) as error:
            raise TaughtSetError(_damaged(name)) from error
        if description.get("format") not in _READABLE:
            raise TaughtSetError(
                message(
                    "The set “{name}” was taught to another Tablescore; teach it again.", name=name
                )
            )
        try:
            return _read(description, place)
        except (OSError, ValueError, KeyError, TypeError, PhotoError) as error:
            raise TaughtSetError(_damaged(name)) from error

    def save(self, taught: TaughtSet) -> TaughtSet:
        """Store a set in place of an older one of its name; gives it with its revision.

        Raises TaughtSetError: its name cannot be a folder's; OSError: it cannot be written.
        """
        place = self._place(taught.name)
        try:
            older = tomllib.loads(read_text(place / DESCRIPTION))
            revision = int(older.get("revision", 0))
        except (OSError, ValueError):
            revision = 0
        numbered = replace(taught, revision=revision + 1)
        fresh = self.folder / f".{taught.name}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        _write(fresh, numbered)
        # Move a finished folder to its place; the older one goes only once the new one is whole
        old = place.with_name(f".{place.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        if place.exists():
            place.rename(old)
        fresh.rename(place)
        shutil.rmtree(old, ignore_errors=True)
        return numbered

    def chosen_tiles(self) -> str | None:
        """The set chosen for Rummikub, "" for the model; None if nothing was chosen."""
        try:
            return (self.folder / CHOICE).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None

    def choose_tiles(self, name: str) -> None:
        """Play Rummikub with the set of that name, or with the model for "". Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / CHOICE).write_text(name, encoding="utf-8")

    def _place(self, name: str) -> Path:
        if (fault := name_fault(name)) is not None:
            raise TaughtSetError(fault)
        return self.folder / name


def _damaged(name: str) -> Message:
    return message("The taught set “{name}” is damaged; teach it again.", name=name)


def _read(description: Mapping[str, Any], folder: Path) -> TaughtSet:
    content = (folder / PROTOTYPES).read_bytes()
    if hashlib.sha256(content).hexdigest() != description["checksum"]:
        raise ValueError("the prototypes are not those of the description")
    with np.load(BytesIO(content), allow_pickle=False) as stored:
        arrays = {each: stored[each].astype(np.float32) for each in _ARRAYS}
        is_new = description["format"] == FORMAT
        shared = stored[_SHARED] if is_new else np.zeros(arrays["axes"].shape[1])
    score = description.get("examination")
    paths = {face: folder / FACE.format(at) for at, face in enumerate(description["faces"])}
    return TaughtSet(
        name=description["name"],
        likeness=Likeness(
            faces=tuple(description["faces"]),
            size=Format(description["width"], description["height"]),
            **arrays,
            shared=shared.astype(np.float32),
            usual=float(description["usual"]),
            solid=description["dice"] is True,
        ),
        trusted=description["trusted"] is True,
        taught_at=datetime.fromisoformat(description["taught_at"]),
        score=ExaminationScore(**score) if score is not None else None,
        revision=description["revision"],
        pictures={face: open_photo(path) for face, path in paths.items() if path.is_file()},
    )


def _write(folder: Path, taught: TaughtSet) -> None:
    folder.mkdir(parents=True)
    # The arrays as an npz file; the axes in half precision, which moves a distance by 0.1 %
    likeness = taught.likeness
    file = BytesIO()
    np.savez_compressed(
        file,
        middle=likeness.middle,
        axes=likeness.axes.astype(np.float16),
        prototypes=likeness.prototypes,
        shared=likeness.shared,
    )
    content = file.getvalue()
    (folder / PROTOTYPES).write_bytes(content)
    for number, face in enumerate(likeness.faces):
        if face in taught.pictures:
            (folder / FACE.format(number)).write_bytes(encode_jpeg(taught.pictures[face]))
    description: dict[str, Any] = {
        "format": FORMAT,
        "name": taught.name,
        "revision": taught.revision,
        "taught_at": taught.taught_at.isoformat(),
        "trusted": taught.trusted,
        "faces": list(likeness.faces),
        "width": likeness.size.width,
        "height": likeness.size.height,
        "usual": likeness.usual,
        "dice": likeness.solid,
        "checksum": hashlib.sha256(content).hexdigest(),
    }
    if taught.score is not None:
        description["examination"] = asdict(taught.score)
    (folder / DESCRIPTION).write_text(tomli_w.dumps(description), encoding="utf-8")
