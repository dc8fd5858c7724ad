"""How well the table can be seen."""
