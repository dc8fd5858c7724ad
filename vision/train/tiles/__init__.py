"""Training the tile reader."""
