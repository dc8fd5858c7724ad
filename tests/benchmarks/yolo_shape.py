"""A network of YOLOv8n's shape with random weights: the cost of a general detector.

The layers, channels and strides are those of YOLOv8n for 80 classes (Jocher, Chaurasia and
Qiu, "Ultralytics YOLO", 2023, version 8.0: `yolov8n.yaml`), rebuilt from its published
description. It detects nothing; a trained one would cost more: what is done with the heads' results
is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper

from vision.capture.frame import Image

CLASSES: Final = 80
BINS: Final = 16
PUBLISHED_PARAMETERS: Final = 3.2e6
PUBLISHED_GIGAFLOPS: Final = 8.7  # at 640 pixels


@dataclass(frozen=True, slots=True)
class Node:
    """One tensor of the graph: its name, its channels, and its side in cells."""

    name: str
    channels: int
    side: int


@dataclass(eq=False)
class Graph:
    """A network under construction that counts its weights and operations.

    `operations` counts a multiplication and an addition as two, like the published GFLOPs, and only
    in convolutions.
    """

    nodes: list[Any] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)
    parameters: int = 0
    operations: int = 0
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(8))

    def add(self, kind: str, inputs: Sequence[str], outputs: int = 1, **settings: Any) -> list[str]:
        names = [f"{kind.lower()}{len(self.nodes)}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **settings))
        return names

    def constant(self, values: NDArray[Any]) -> str:
        name = f"constant{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def convolve(self, x: Node, channels: int, kernel: int, stride: int = 1) -> Node:
        """A plain convolution with a bias: the norm is folded in, as in an export."""
        shape, side = (channels, x.channels, kernel, kernel), x.side // stride
        spread = (2 / (x.channels * kernel * kernel)) ** 0.5
        weight = self.constant(self._random.normal(0, spread, shape).astype(np.float32))
        inputs = [x.name, weight, self.constant(np.zeros(channels, np.float32))]
        self.parameters += prod(shape) + channels
        self.operations += 2 * prod(shape) * side * side
        around: dict[str, Any] = {"strides": [stride] * 2, "pads": [kernel // 2] * 4}
        return Node(self.add("Conv", inputs, **around)[0], channels, side)

    def layer(self, x: Node, channels: int, kernel: int = 3, stride: int = 1) -> Node:
        """A convolution and its SiLU: x times its sigmoid."""
        x = self.convolve(x, channels, kernel, stride)
        (gate,) = self.add("Sigmoid", [x.name])
        return Node(self.add("Mul", [x.name, gate])[0], channels, x.side)

    def join(self, *parts: Node) -> Node:
        (name,) = self.add("Concat", [part.name for part in parts], axis=1)
        return Node(name, sum(part.channels for part in parts), parts[0].side)

    def enlarge(self, x: Node) -> Node:
        """Twice the side, by repeating."""
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        (name,) = self.add("Resize", [x.name, "", scales], mode="nearest")
        return Node(name, x.channels, 2 * x.side)

    def c2f(self, x: Node, channels: int, repeats: int, *, adds: bool) -> Node:
        """A cross-stage block with `repeats` bottlenecks, which add their input or don't."""
        half = channels // 2
        entry = self.layer(x, channels, 1)
        sizes = self.constant(np.array([half, half], np.int64))
        split = self.add("Split", [entry.name, sizes], outputs=2, axis=1)
        parts = [Node(name, half, entry.side) for name in split]
        for _ in range(repeats):
            inner = self.layer(self.layer(parts[-1], half), half)
            if adds:
                (name,) = self.add("Add", [parts[-1].name, inner.name])
                inner = Node(name, half, inner.side)
            parts.append(inner)
        return self.layer(self.join(*parts), channels, 1)

    def sppf(self, x: Node) -> Node:
        """Three poolings one after another, joined."""
        parts = [self.layer(x, x.channels // 2, 1)]
        for _ in range(3):
            around: dict[str, Any] = {"kernel_shape": [5, 5], "strides": [1, 1], "pads": [2] * 4}
            (name,) = self.add("MaxPool", [parts[-1].name], **around)
            parts.append(Node(name, parts[-1].channels, x.side))
        return self.layer(self.join(*parts), x.channels, 1)

    def head(self, x: Node) -> tuple[Node, Node]:
        """The distances of four sides by bins, and the classes' logits, at one stride."""
        sides = self.convolve(self.layer(self.layer(x, 64), 64), 4 * BINS, 1)
        classes = self.convolve(self.layer(self.layer(x, CLASSES), CLASSES), CLASSES, 1)
        return sides, classes


def build(side: int = 640) -> tuple[bytes, Graph]:
    """The network for pictures of this side as an ONNX file, and the graph with its counts."""
    graph = Graph()
    at4 = graph.layer(graph.layer(Node("pixels", 3, side), 16, stride=2), 32, stride=2)
    at4 = graph.c2f(at4, 32, 1, adds=True)
    at8 = graph.c2f(graph.layer(at4, 64, stride=2), 64, 2, adds=True)
    at16 = graph.c2f(graph.layer(at8, 128, stride=2), 128, 2, adds=True)
    at32 = graph.sppf(graph.c2f(graph.layer(at16, 256, stride=2), 256, 1, adds=True))
    middle = graph.c2f(graph.join(graph.enlarge(at32), at16), 128, 1, adds=False)
    fine = graph.c2f(graph.join(graph.enlarge(middle), at8), 64, 1, adds=False)
    middle = graph.c2f(graph.join(graph.layer(fine, 64, stride=2), middle), 128, 1, adds=False)
    coarse = graph.c2f(graph.join(graph.layer(middle, 128, stride=2), at32), 256, 1, adds=False)
    results = [
        helper.make_tensor_value_info(
            each.name, TensorProto.FLOAT, [1, each.channels, each.side, each.side]
        )
        for stride in (fine, middle, coarse)
        for each in graph.head(stride)
    ]
    pixels = helper.make_tensor_value_info("pixels", TensorProto.FLOAT, [1, 3, side, side])
    whole = helper.make_graph(graph.nodes, "yolo-shape", [pixels], results, graph.weights)
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(whole, opset_imports=opset, ir_version=9)
    checker.check_model(model, full_check=True)
    content: bytes = model.SerializeToString()
    return content, graph


def load_yolo_shape(side: int = 640) -> Callable[[Image], Any]:
    """What takes a picture to the heads' results, with the settings of `vision.read.networks`."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session: Any = onnxruntime.InferenceSession(
        build(side)[0], options, providers=["CPUExecutionProvider"]
    )
    return lambda image: session.run(None, {"pixels": _prepared(image, side)})


def _prepared(image: Image, side: int) -> NDArray[np.float32]:
    """The picture in a grey square, 1 x 3 x side x side, red-green-blue, 0 to 1."""
    height, width = image.shape[:2]
    factor = side / max(height, width)
    size = (round(width * factor), round(height * factor))
    square = np.full((side, side, 3), 114, np.uint8)
    left, top = (side - size[0]) // 2, (side - size[1]) // 2
    reduced = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
    square[top : top + size[1], left : left + size[0]] = reduced
    return np.asarray(cv2.dnn.blobFromImage(square, 1 / 255, swapRB=True), np.float32)
