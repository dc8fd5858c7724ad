"""Settings of the whole suite."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

# A slow or busy machine is no fault of the code: times are measured in benchmarks.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Exclude property tests from coverage.

    Tracing triples the time of their many games, and the tests of single cases meet the coverage
    limits without them.
    """
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.no_cover)
