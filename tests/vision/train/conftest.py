"""Tests of training are for those who set its extra up: `make test-training`."""

from __future__ import annotations

from importlib.util import find_spec

NEEDED = ("torch", "onnx", "mitsuba", "pybullet")
collect_ignore_glob = [] if all(map(find_spec, NEEDED)) else ["*"]
