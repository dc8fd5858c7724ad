"""What the slip reader learns from, and how it is taught."""
