"""Who sits with whom: by constructions and search, or by standing."""

from scoreboard.tournament.model.seating.by_standing import Manner, draw_by_standing
from scoreboard.tournament.model.seating.constraints import Constraints
from scoreboard.tournament.model.seating.sizes import table_sizes
from scoreboard.tournament.model.seating.table_draw import draw_tables

__all__ = ["Constraints", "Manner", "draw_by_standing", "draw_tables", "table_sizes"]
