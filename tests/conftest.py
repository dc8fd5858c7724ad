"""Settings of the whole suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A slow or busy machine is no fault of the code: times are measured in benchmarks.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
