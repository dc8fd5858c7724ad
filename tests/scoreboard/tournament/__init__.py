"""Events of many tables."""
