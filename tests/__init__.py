"""The tests, in the same tree as the code they test."""

import vision  # noqa: F401 - keeps onnxruntime silent, which some benchmarks import before it
