"""The same network in bytes: the cost of a quantised general detector.

Static quantisation by onnxruntime (per channel, unsigned activations, seven-bit weights, which
no processor's instructions overflow), with the ranges of one photo. Its cost is right; its
results would need more care.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

_IN_BYTES: Final = frozenset({"QuantizeLinear", "QLinearConv", "ConvInteger"})


class _Examples(CalibrationDataReader):  # type: ignore[misc]
    """The inputs from which quantisation takes its ranges."""

    def __init__(self, examples: Iterable[NDArray[np.float32]]) -> None:
        self._examples = iter(examples)

    def get_next(self) -> dict[str, Any] | None:
        example = next(self._examples, None)
        return None if example is None else {"pixels": example}


def in_bytes(content: bytes, examples: Iterable[NDArray[np.float32]]) -> bytes:
    """The network, quantised."""
    with tempfile.TemporaryDirectory() as folder:
        whole, simpler, done = (Path(folder) / f"{name}.onnx" for name in ("a", "b", "c"))
        whole.write_bytes(content)
        quant_pre_process(str(whole), str(simpler), skip_symbolic_shape=True)
        quantize_static(
            str(simpler),
            str(done),
            _Examples(examples),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
        )
        return done.read_bytes()


def is_in_bytes(content: bytes) -> bool:
    """Whether a network computes in bytes, at least in part."""
    nodes = onnx.load_model_from_string(content).graph.node
    return any(node.op_type in _IN_BYTES for node in nodes)
