"""What the eye thinks a tile is, as odds that the rules can be weighed against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, NUMBERS, Box, Piece, Tile

PIECES: Final = len(COLOURS) * len(NUMBERS) + 1  # the different tiles, and the joker
_KINDS: Final = len(NUMBERS) + 2
_PLAUSIBLE: Final = 0.02  # what the eye finds less likely is never chosen
_MOST: Final = 4  # readings of one tile that are weighed


@dataclass(frozen=True, slots=True)
class PieceLikelihoods:
    """The probabilities of what one tile shows.

    `kinds` are those of nothing readable, of 1 to 13 and of a joker, `inks` those of the colours
    in the order of COLOURS, as in `TileReading`; `stated` is the calibrated confidence in the
    likeliest piece, None where the product of its kind and ink is all that is known.

    Raises:
        ValueError: there are not fifteen kinds and four inks.
    """

    kinds: tuple[float, ...]
    inks: tuple[float, ...]
    stated: float | None = None

    def __post_init__(self) -> None:
        if len(self.kinds) != _KINDS or len(self.inks) != len(COLOURS):
            raise ValueError(f"{len(self.kinds)} kinds and {len(self.inks)} inks are no tile's.")

    @property
    def is_blank(self) -> bool:
        """Whether nothing can be read, more likely than anything else."""
        return self.kinds[0] >= max(self.kinds[1:])

    @property
    def piece(self) -> Piece | None:
        """The likeliest kind in the likeliest ink, None where nothing can be read."""
        kind = max(range(_KINDS), key=self.kinds.__getitem__)
        if self.is_blank:
            return None
        ink = max(range(len(COLOURS)), key=self.inks.__getitem__)
        return JOKER if kind == _KINDS - 1 else Tile(COLOURS[ink], kind)

    @property
    def confidence(self) -> float:
        """The estimated probability that it is the likeliest piece, 0 where nothing can be read."""
        piece = self.piece
        if piece is None:
            return 0.0
        return self.chance(piece) if self.stated is None else self.stated

    def chance(self, piece: Piece) -> float:
        """The probability of one piece by kind and ink alone."""
        if not isinstance(piece, Tile):
            return self.kinds[-1]
        return self.kinds[piece.number] * self.inks[COLOURS.index(piece.colour)]

    @property
    def plausible(self) -> dict[Piece, float]:
        """The few pieces that the eye does not rule out, likeliest first."""
        likely = sorted(self._all.items(), key=lambda each: -each[1])[:_MOST]
        return {piece: chance for piece, chance in likely if chance >= _PLAUSIBLE}

    @property
    def others(self) -> dict[Piece, float]:
        """The plausible pieces but for the likeliest."""
        return {piece: chance for piece, chance in self.plausible.items() if piece != self.piece}

    def blank(self, copies: Box) -> dict[Piece, float]:
        """What may hide where nothing can be read: every tile alike, and a joker.

        A joker's place in a set fits one numbered tile as well, so that it is as much rarer as
        the box has fewer of them. It weighs more, up to what a tile does, as far as the eye sees
        more of one than of any other kind.
        """
        unread, share = self.kinds[0], copies.jokers / len(copies)
        tile = unread / PIECES
        seen = max(0.0, self.kinds[-1] - (1 - unread) / (_KINDS - 1)) * (1 - unread)
        return dict.fromkeys(self._all, tile) | {JOKER: min(tile, seen + share * tile)}

    @property
    def _all(self) -> dict[Piece, float]:
        tiles: dict[Piece, float] = {
            Tile(colour, number): self.kinds[number] * ink
            for colour, ink in zip(COLOURS, self.inks, strict=True)
            for number in NUMBERS
        }
        return tiles | {JOKER: self.kinds[-1]}
