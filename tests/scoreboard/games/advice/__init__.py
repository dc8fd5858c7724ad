"""Tests of the advice: dice, and Rummikub's sets and referee."""
