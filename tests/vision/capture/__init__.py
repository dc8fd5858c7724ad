"""Pictures as they come."""
