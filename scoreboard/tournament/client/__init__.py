"""The table's side of an event: its memory, its outbox, and its connection to the hub."""
