"""Where recorded events live: memory and SQLite under one contract."""
