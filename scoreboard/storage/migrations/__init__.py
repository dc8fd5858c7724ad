"""The steps to the newest tables; `scoreboard.storage.schema_versions` takes them."""
