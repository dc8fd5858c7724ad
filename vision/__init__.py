"""From an image to a proposal."""

import os

# onnxruntime tells its maker that it is used, unless this stands here before its first import: read
# then alone, so no later call is in time. Every module that imports it is inside this package or,
# in the tests, behind it (docs/decisions/0023-nothing-leaves.md).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
