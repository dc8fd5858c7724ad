"""Who sits with whom: by constructions and search, or by standing."""

from scoreboard.tournament.seating.by_standing import Manner, draw_by_standing
from scoreboard.tournament.seating.constraints import Constraints
from scoreboard.tournament.seating.sizes import table_sizes
from scoreboard.tournament.seating.table_draw import draw_tables

__all__ = ["Constraints", "Manner", "draw_by_standing", "draw_tables", "table_sizes"]
