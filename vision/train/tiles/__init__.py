"""What the tile reader learns from, and how it is taught."""
