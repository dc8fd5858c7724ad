"""The parts of the tile reader."""
