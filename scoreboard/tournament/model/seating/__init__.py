"""Seating at tables: by constructions and search, or by standing."""
