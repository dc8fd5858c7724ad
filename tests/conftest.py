"""Settings of the whole suite."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest
from flask import Flask
from hypothesis import HealthCheck, is_hypothesis_test, settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from tests.web.owner import OwnersClient

# A slow or busy machine is no fault of the code: times are measured in benchmarks.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


class Compiled(BytecodeCache):
    """The templates that this process compiled, by their name and text.

    Each application compiles its own, which takes a third of a second for a table's first page:
    more than all else that most tests of a page do.
    """

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what was compiled of this text."""
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._kept[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {"bytecode_cache": Compiled()}
Flask.test_client_class = OwnersClient


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have the garbage collector pass over what collecting the tests made, which stays to the end.

    Looking through all of it again and again took a tenth of the processor time of a run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Exclude property tests from coverage.

    Tracing triples the time of their many games, and the tests of single cases meet the coverage
    limits without them.
    """
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.no_cover)
