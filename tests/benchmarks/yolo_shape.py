"""A network of YOLOv8n's shape with random weights: the cost of a general detector.

The layers, channels and strides are those of YOLOv8n for 80 classes (Jocher, Chaurasia and
Qiu, "Ultralytics YOLO", 2023, version 8.0: `yolov8n.yaml`), rebuilt from its published
description. It detects nothing; a trained one would cost the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper

from vision.capture.frame import Image

SIDE: Final = 640
CLASSES: Final = 80
BINS: Final = 16
PUBLISHED_PARAMETERS: Final = 3.2e6
PUBLISHED_GIGAFLOPS: Final = 8.7
STRIDES: Final = (8, 16, 32)
RESULT_SHAPE: Final = (1, 4 + CLASSES, 8400)
_OPSET: Final = 17
_IR_VERSION: Final = 9
_GREY: Final = 114


@dataclass(frozen=True, slots=True)
class Node:
    """One tensor of the graph: its name, its channels, and its side in cells."""

    name: str
    channels: int
    side: int


@dataclass(eq=False)
class Graph:
    """A network under construction that counts its weights and operations.

    `operations` counts a multiplication and an addition as two, like the published 8.7
    GFLOPs, and only in convolutions.
    """

    nodes: list[Any] = field(default_factory=list)
    weights: list[Any] = field(default_factory=list)
    parameters: int = 0
    operations: int = 0
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(8))

    def add(self, kind: str, inputs: Sequence[str], outputs: int = 1, **settings: Any) -> list[str]:
        """Add one node; the names of its outputs."""
        names = [f"{kind.lower()}{len(self.nodes)}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **settings))
        return names

    def constant(self, values: NDArray[Any]) -> str:
        """Add a constant; its name."""
        name = f"constant{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def convolve(self, x: Node, channels: int, kernel: int, stride: int = 1) -> Node:
        """A plain convolution with a bias: the norm is folded in, as in an export."""
        shape = (channels, x.channels, kernel, kernel)
        spread = (2 / (x.channels * kernel * kernel)) ** 0.5
        weight = self.constant(self._random.normal(0, spread, shape).astype(np.float32))
        bias = self.constant(np.zeros(channels, np.float32))
        side = x.side // stride
        self.parameters += prod(shape) + channels
        self.operations += 2 * prod(shape) * side * side
        (name,) = self.add(
            "Conv",
            [x.name, weight, bias],
            kernel_shape=[kernel] * 2,
            strides=[stride] * 2,
            pads=[kernel // 2] * 4,
        )
        return Node(name, channels, side)

    def activate(self, x: Node) -> Node:
        """SiLU: x times its sigmoid."""
        (gate,) = self.add("Sigmoid", [x.name])
        (name,) = self.add("Mul", [x.name, gate])
        return Node(name, x.channels, x.side)

    def layer(self, x: Node, channels: int, kernel: int = 3, stride: int = 1) -> Node:
        """A convolution and its SiLU."""
        return self.activate(self.convolve(x, channels, kernel, stride))

    def join(self, *parts: Node) -> Node:
        """All channels of the parts, one after another."""
        (name,) = self.add("Concat", [part.name for part in parts], axis=1)
        return Node(name, sum(part.channels for part in parts), parts[0].side)

    def enlarge(self, x: Node) -> Node:
        """Twice the side, by repeating."""
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        (name,) = self.add("Resize", [x.name, "", scales], mode="nearest")
        return Node(name, x.channels, 2 * x.side)


def c2f(graph: Graph, x: Node, channels: int, repeats: int, *, adds: bool) -> Node:
    """A cross-stage block with `repeats` bottlenecks, which add their input or don't."""
    half = channels // 2
    entry = graph.layer(x, channels, 1)
    sizes = graph.constant(np.array([half, half], np.int64))
    parts = [
        Node(name, half, entry.side)
        for name in graph.add("Split", [entry.name, sizes], outputs=2, axis=1)
    ]
    for _ in range(repeats):
        inner = graph.layer(graph.layer(parts[-1], half), half)
        if adds:
            (name,) = graph.add("Add", [parts[-1].name, inner.name])
            inner = Node(name, half, inner.side)
        parts.append(inner)
    return graph.layer(graph.join(*parts), channels, 1)


def sppf(graph: Graph, x: Node) -> Node:
    """Three poolings one after another, joined."""
    parts = [graph.layer(x, x.channels // 2, 1)]
    for _ in range(3):
        (name,) = graph.add(
            "MaxPool", [parts[-1].name], kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4
        )
        parts.append(Node(name, parts[-1].channels, x.side))
    return graph.layer(graph.join(*parts), x.channels, 1)


def backbone(graph: Graph, pixels: Node) -> tuple[Node, Node, Node]:
    """The maps at strides 8, 16 and 32."""
    at4 = graph.layer(graph.layer(pixels, 16, stride=2), 32, stride=2)
    at4 = c2f(graph, at4, 32, 1, adds=True)
    at8 = c2f(graph, graph.layer(at4, 64, stride=2), 64, 2, adds=True)
    at16 = c2f(graph, graph.layer(at8, 128, stride=2), 128, 2, adds=True)
    at32 = c2f(graph, graph.layer(at16, 256, stride=2), 256, 1, adds=True)
    return at8, at16, sppf(graph, at32)


def neck(graph: Graph, at8: Node, at16: Node, at32: Node) -> tuple[Node, Node, Node]:
    """The maps at the same strides, joined down and up again."""
    middle = c2f(graph, graph.join(graph.enlarge(at32), at16), 128, 1, adds=False)
    fine = c2f(graph, graph.join(graph.enlarge(middle), at8), 64, 1, adds=False)
    down = graph.layer(fine, 64, stride=2)
    middle = c2f(graph, graph.join(down, middle), 128, 1, adds=False)
    down = graph.layer(middle, 128, stride=2)
    return fine, middle, c2f(graph, graph.join(down, at32), 256, 1, adds=False)


def head(graph: Graph, x: Node) -> tuple[str, str]:
    """The distances of four sides by bins, and the classes' logits, at one stride."""
    sides = graph.convolve(graph.layer(graph.layer(x, 64), 64), 4 * BINS, 1)
    classes = graph.convolve(graph.layer(graph.layer(x, CLASSES), CLASSES), CLASSES, 1)
    flat = [
        graph.add("Reshape", [each.name, graph.constant(np.array([1, each.channels, -1]))])[0]
        for each in (sides, classes)
    ]
    return flat[0], flat[1]


def boxes(graph: Graph, bins: str, maps: Sequence[Node]) -> str:
    """From bins to the centre and size of every cell's box, in pixels."""
    shape = graph.constant(np.array([1, 4, BINS, -1]))
    (split,) = graph.add("Reshape", [bins, shape])
    (chances,) = graph.add("Softmax", [split], axis=2)
    steps = graph.constant(np.arange(BINS, dtype=np.float32).reshape(1, 1, BINS, 1))
    (weighed,) = graph.add("Mul", [chances, steps])
    axis = graph.constant(np.array([2]))
    (distances,) = graph.add("ReduceSum", [weighed, axis], keepdims=0)
    before, after = graph.add("Split", [distances], outputs=2, axis=1)
    anchors = graph.constant(np.concatenate([_anchors(each.side) for each in maps], axis=2))
    (least,), (most,) = graph.add("Sub", [anchors, before]), graph.add("Add", [anchors, after])
    (twice,), (size,) = graph.add("Add", [least, most]), graph.add("Sub", [most, least])
    (middle,) = graph.add("Mul", [twice, graph.constant(np.array([0.5], np.float32))])
    (joined,) = graph.add("Concat", [middle, size], axis=1)
    sized = zip(maps, STRIDES, strict=True)
    strides = [np.full((1, 1, each.side**2), stride, np.float32) for each, stride in sized]
    return graph.add("Mul", [joined, graph.constant(np.concatenate(strides, axis=2))])[0]


def _anchors(side: int) -> NDArray[np.float32]:
    down, across = np.mgrid[:side, :side].reshape(2, 1, -1) + 0.5
    return np.concatenate([across, down])[None].astype(np.float32)


def build(side: int = SIDE) -> tuple[bytes, Graph]:
    """The network for pictures of this side as an ONNX file, and the graph with its counts."""
    graph = Graph()
    maps = neck(graph, *backbone(graph, Node("pixels", 3, side)))
    heads = [head(graph, each) for each in maps]
    (bins,) = graph.add("Concat", [sides for sides, _ in heads], axis=2)
    (logits,) = graph.add("Concat", [classes for _, classes in heads], axis=2)
    (scores,) = graph.add("Sigmoid", [logits])
    graph.nodes.append(
        helper.make_node("Concat", [boxes(graph, bins, maps), scores], ["result"], axis=1)
    )
    return _content(graph, side), graph


def _content(graph: Graph, side: int) -> bytes:
    cells = sum((side // stride) ** 2 for stride in STRIDES)
    shape = [1, 4 + CLASSES, cells]
    pixels = helper.make_tensor_value_info("pixels", TensorProto.FLOAT, [1, 3, side, side])
    result = helper.make_tensor_value_info("result", TensorProto.FLOAT, shape)
    whole = helper.make_graph(graph.nodes, "yolo-shape", [pixels], [result], graph.weights)
    opset = [helper.make_opsetid("", _OPSET)]
    model = helper.make_model(whole, opset_imports=opset, ir_version=_IR_VERSION)
    checker.check_model(model, full_check=True)
    content: bytes = model.SerializeToString()
    return content


@dataclass(frozen=True, slots=True, eq=False)
class YoloShape:
    """The untrained network with its preparation: a picture in, raw boxes out.

    A trained network's work on its boxes afterwards is left out, in its favour.
    """

    session: Any
    side: int = SIDE

    def __call__(self, image: Image) -> NDArray[np.float32]:
        """Prepare the picture and run the network: 1 x 84 x 8400 at 640 pixels."""
        (result,) = self.session.run(None, {"pixels": prepared(image, self.side)})
        return np.asarray(result, np.float32)


def prepared(image: Image, side: int = SIDE) -> NDArray[np.float32]:
    """The picture in a grey square, 1 x 3 x side x side, red-green-blue, 0 to 1."""
    height, width = image.shape[:2]
    factor = side / max(height, width)
    size = (round(width * factor), round(height * factor))
    square = np.full((side, side, 3), _GREY, np.uint8)
    left, top = (side - size[0]) // 2, (side - size[1]) // 2
    reduced = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
    square[top : top + size[1], left : left + size[0]] = reduced
    return np.asarray(cv2.dnn.blobFromImage(square, 1 / 255, swapRB=True), np.float32)


def load_yolo_shape(content: bytes, side: int = SIDE) -> YoloShape:
    """Load a network built for that side, with the settings of `vision.read.networks`."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    providers = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(content, options, providers=providers)
    return YoloShape(session, side)
