"""The table's side of a tournament: its memory, its outbox, and its connection to the hub."""
