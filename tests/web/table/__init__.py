"""The pages of one table."""
