"""What a hub keeps, in SQLite and in PostgreSQL under one contract."""
