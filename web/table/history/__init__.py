"""Earlier games: archive, logs, evenings, statistics."""
