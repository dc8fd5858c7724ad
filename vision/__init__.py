"""From an image to a proposal."""
