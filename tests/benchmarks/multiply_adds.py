"""How many multiplications with an addition a network does, counted in its convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod

import onnx

from tests.benchmarks.stages import FIRST_LOOK, OTHER_LOOKS, Stages
from vision.read.networks import FINDER, READER


@lru_cache(maxsize=64)
def multiply_adds(content: bytes, shape: tuple[int, ...]) -> int:
    """Those of an ONNX file for one input of that shape."""
    model = onnx.load_from_string(content)
    for dimension, length in zip(
        model.graph.input[0].type.tensor_type.shape.dim, shape, strict=True
    ):
        dimension.dim_value = length
    graph = onnx.shape_inference.infer_shapes(model).graph
    weights = {each.name: tuple(each.dims) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in weights:
            weights[node.output[0]] = weights[node.input[0]]
    shapes = {
        each.name: [dimension.dim_value for dimension in each.type.tensor_type.shape.dim]
        for each in (*graph.value_info, *graph.output)
    }
    return sum(
        prod(weights[node.input[1]]) * prod(shapes[node.output[0]]) // shapes[node.output[0]][1]
        for node in graph.node
        if node.op_type == "Conv"
    )


def of_readings(stages: Sequence[Stages], content: Callable[[str], bytes]) -> float:
    """The mean of these readings, given the networks' files by name."""
    return sum(
        multiply_adds(content(FINDER if stage in {FIRST_LOOK, OTHER_LOOKS} else READER), shape)
        for each in stages
        for stage, inputs in each.inputs.items()
        for shape in inputs
    ) / len(stages)
