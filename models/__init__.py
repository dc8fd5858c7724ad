"""Trained weights with their cards, and tables for advice; data only, made by commands."""
