"""What the dice reader learns from, and how it is taught."""
