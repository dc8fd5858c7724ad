"""Trained weights with their cards; data only, made by vision.train."""
