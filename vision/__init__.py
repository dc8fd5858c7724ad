"""From an image to a proposal."""

import os

# onnxruntime reports its use to its maker unless this is set before its first import; it is read
# only then, so any later call is too late. Every module that imports it is in this package or,
# in the tests, behind it (docs/decisions/0023-nothing-leaves.md).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
