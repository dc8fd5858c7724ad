"""Advice on games."""
