"""Where the pictures lie that a training learns from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.train.chance import Chance
from vision.train.cutouts import cut_out
from vision.train.photographs import Pictures, read_bare, read_pictures, read_rendered


@dataclass(frozen=True, slots=True)
class TrainingPaths:
    """Folders of labelled photographs, of some without dice if any, and of rendered pictures.

    Of these, the first `most` count.
    """

    data: Path
    bare: Path | None
    rendered: Path
    most: int

    def gather(self, seed: int, without: str = "") -> Pictures:
        """Decode all but the source named `without`, and cut dice out of the photographs.

        Raises:
            LabelError: a photograph is missing or cannot be decoded.
        """
        photographs = list(read_pictures(self.data, without=without))
        bare = [] if self.bare is None else read_bare(self.bare)
        pictures = [*photographs, *bare, *read_rendered(self.rendered, self.most)]
        return Pictures(pictures, cut_out(photographs, Chance((seed, len(photographs)))))
