"""The hub's store, in SQLite and in PostgreSQL under one contract."""
