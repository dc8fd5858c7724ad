"""Whole games as a person would write them, totalled by hand."""
