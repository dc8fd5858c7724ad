"""The stored designs, by tables and size: a starter each, all found by our own search or by hand.

What each guarantees is tested: no two meet twice in any of its rounds. Nobody can have more
than (players - 1) // (size - 1) rounds, since everybody meets size - 1 others in each.

| players at fours | rounds | which is |
|---|---|---|
| 12 | 1, no construction | all: of four who sit together at three tables two met before |
| 16 | 5, one fixed and a cycle of 15 | all: the affine plane of order 4 |
| 20 | 5, rows and shifts modulo 5 (`transversal`) | one below the bound |
| 24 | 7, three fixed and 3 cycles of 7 | all: a group divisible design, 8 groups of 3 |
| 28 | 9, one fixed and 27 vectors modulo 3 | all: a resolvable 2-(28,4,1) design |
| 32 | 9, planes of AG(5,2) | one below the bound |
| 36 | 11, three fixed and 3 cycles of 11 | all: a group divisible design, 12 groups of 3 |
| 40 | 13, one fixed and a cycle of 39 | all: a resolvable 2-(40,4,1) design |

At threes 9, 15 and 27 and at fives 25 players are stored too: 4, 7, 13 and 6 rounds, all that
there can be. Kinds and bounds of such designs: C. J. Colbourn and J. H. Dinitz, "Handbook of
Combinatorial Designs", second edition, 2007, parts II.7 and IV.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.tournament.model.seating.cosets import Planes
from scoreboard.tournament.model.seating.development import Starter

STARTERS: Final[Mapping[tuple[int, int], Starter | Planes]] = {
    (3, 3): Starter((8,), tuple(range(4)), "x 0a 4a, 1a 2a 7a, 5a 6a 3a"),
    (5, 3): Starter((7,), tuple(range(7)), "x 4a 0b, 0a 4b 6b, 3a 1b 5b, 1a 5a 6a, 2a 2b 3b"),
    (9, 3): Starter(
        (26,),
        tuple(range(13)),
        "x 0a 13a, 1a 2a 4a, 14a 15a 17a, 3a 8a 23a, 16a 21a 10a, 5a 22a 12a, 18a 9a 25a,"
        "6a 20a 24a, 19a 7a 11a",
    ),
    (4, 4): Starter(
        (15,), tuple(range(5)), "x 0a 5a 10a, 1a 2a 4a 8a, 6a 7a 9a 13a, 11a 12a 14a 3a"
    ),
    (6, 4): Starter(
        (7,),
        tuple(range(7)),
        "x 6a 5b 1c, y 6b 5c 1a, z 6c 5a 1b, 0a 2a 3a 4b, 0b 2b 3b 4c, 0c 2c 3c 4a",
    ),
    (7, 4): Starter(
        (3, 3, 3),
        tuple(range(9)),
        "x 0a 9a 18a, 1a 2a 3a 15a, 10a 11a 12a 24a, 19a 20a 21a 6a,"
        "4a 14a 25a 17a, 13a 23a 7a 26a, 22a 5a 16a 8a",
    ),
    (8, 4): Planes(
        5,
        ((2, 24), (3, 12), (4, 25), (5, 16), (6, 17), (8, 19), (9, 22), (10, 20), (14, 18)),
    ),
    (9, 4): Starter(
        (11,),
        tuple(range(11)),
        "x 10a 9b 2c, y 10b 9c 2a, z 10c 9a 2b, 0a 1a 4a 6b, 0b 1b 4b 6c, 0c 1c 4c 6a,"
        "3a 8a 5c 7c, 3b 8b 5a 7a, 3c 8c 5b 7b",
    ),
    (10, 4): Starter(
        (39,),
        tuple(range(13)),
        "x 0a 13a 26a, 1a 5a 8a 25a, 14a 18a 21a 38a, 27a 31a 34a 12a, 2a 3a 36a 11a,"
        "15a 16a 10a 24a, 28a 29a 23a 37a, 4a 6a 33a 22a, 17a 19a 7a 35a, 30a 32a 20a 9a",
    ),
    (5, 5): Starter(
        (24,),
        tuple(range(6)),
        "x 0a 6a 12a 18a, 1a 2a 15a 22a 17a, 7a 8a 21a 4a 23a, 13a 14a 3a 10a 5a,"
        "19a 20a 9a 16a 11a",
    ),
}
