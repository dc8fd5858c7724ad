"""How well the table can be seen, and where the tray is."""
