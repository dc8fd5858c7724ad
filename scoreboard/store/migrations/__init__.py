"""The steps to the newest tables; `scoreboard.store.schema_versions` takes them."""
