"""Real hubs and tables, each a process of its own, with a bad way between them."""
