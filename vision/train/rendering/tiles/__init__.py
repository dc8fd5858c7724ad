"""Rendered photographs of Rummikub tiles: editions, tables, racks, and what each picture shows."""
