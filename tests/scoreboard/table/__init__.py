"""The table at play."""
