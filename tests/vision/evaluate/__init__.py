"""Scores of readers on labelled photographs."""
