"""Who sits with whom: by constructions and search, or by standing."""

from scoreboard.tournament.seating.drawing import draw_tables
from scoreboard.tournament.seating.sizes import table_sizes
from scoreboard.tournament.seating.standing import Manner, draw_by_standing
from scoreboard.tournament.seating.wish import Wish

__all__ = ["Manner", "Wish", "draw_by_standing", "draw_tables", "table_sizes"]
