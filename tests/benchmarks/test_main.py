"""The command that measures: it helps, and knows every benchmark by name."""

from __future__ import annotations

from click.testing import CliRunner

from tests.benchmarks.__main__ import MEASURES, main


def test_help_measures_nothing() -> None:
    """It lists the benchmarks, and says that all together take long."""
    told = CliRunner().invoke(main, ["--help"])
    assert told.exit_code == 0
    assert "half an hour" in told.output
    usage = "".join(told.output.split())  # long usage is wrapped, at hyphens too
    assert all(name in usage for name in MEASURES)


def test_a_benchmark_that_there_is_not_is_refused() -> None:
    """It fails before anything is measured, and lists the known names."""
    told = CliRunner().invoke(main, ["partition", "pages"])
    assert told.exit_code == 2
    assert "'viewers'" in told.output
