"""Trained networks from `models/<name>/`: checked against their card, run by onnxruntime."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions

from scoreboard.message import message
from vision.errors import WeightsError

CARD: Final = "card.toml"
FINDER: Final = "finder.onnx"
READER: Final = "reader.onnx"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One network, ready to run on the processor."""

    session: Any

    def __call__(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Run the network on B x H x W x 3 pixels, blue-green-red."""
        (result,) = self.session.run(None, {self.session.get_inputs()[0].name: pixels})
        return np.asarray(result, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The networks of one model, by file name, and its card."""

    networks: Mapping[str, Network]
    card: Mapping[str, Any]


def share_work(threads: int) -> None:
    """Limit OpenCV to that many processor threads, in the whole process."""
    cv2.setNumThreads(threads)


def load_card(name: str, *, folder: Traversable | None = None) -> Mapping[str, Any]:
    """The content of the card of `models/<name>/`. Raises WeightsError: missing or damaged."""
    content = _content(name, (folder or files("models")) / name / CARD)
    try:
        card = tomllib.loads(content.decode())
    except ValueError as error:
        raise WeightsError(
            message(
                "The card of the model “{name}” is damaged; install Tablescore again.", name=name
            )
        ) from error
    if not isinstance(card.get("checksums"), dict):
        raise WeightsError(
            message(
                "The card of the model “{name}” lists no checksums; install Tablescore again.",
                name=name,
            )
        )
    return card


def load_model(name: str, *, folder: Traversable | None = None, threads: int = 1) -> Model:
    """Load `models/<name>/`: every network that its card lists under [checksums].

    `folder` holds the models' folders; without it, the package `models` does. Each network runs on
    that many `threads`. Raises WeightsError: a file is missing, or is not what the card says.
    """
    place = (folder or files("models")) / name
    card = load_card(name, folder=folder)
    options = SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # it holds 40 MB more, and saves no time
    networks = {}
    for file, checksum in card["checksums"].items():
        content = _content(name, place / file)
        if hashlib.sha256(content).hexdigest() != checksum:
            raise WeightsError(
                message(
                    "The file {file} of the model “{name}” is not what its card says; "
                    "install Tablescore again.",
                    file=file,
                    name=name,
                )
            )
        try:
            session = InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own errors share no nearer base
            raise WeightsError(
                message(
                    "The file {file} of the model “{name}” is no network; "
                    "install Tablescore again.",
                    file=file,
                    name=name,
                )
            ) from error
        networks[file] = Network(session)
    return Model(networks, card)


def _content(name: str, file: Traversable) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise WeightsError(
            message(
                "The file {file} of the model “{name}” cannot be read; install Tablescore again.",
                file=file.name,
                name=name,
            )
        ) from error
