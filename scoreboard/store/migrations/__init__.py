"""How databases came to their present tables: `scoreboard.store.migrating` takes the steps."""
