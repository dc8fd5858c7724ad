"""Measurements: no test asserts them, because machines differ; `make benchmark` records them."""
