"""What Tablescore writes is what it wrote when its digests were kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.dumps import EXACT, digests_of, kept_digests, write_exact

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of dumps that are made now."""
    folder: Path = tmp_path_factory.mktemp("golden")
    write_exact(folder)
    return digests_of(folder)


@pytest.mark.parametrize("part", EXACT)
def test_nothing_is_written_otherwise(part: str, written: dict[str, str]) -> None:
    """Where a change is meant: `write` a folder, compare it with one of before, `keep` it."""
    kept = kept_digests()
    names = {name for name in {*written, *kept} if name.startswith(f"{part}/")}
    assert [name for name in sorted(names) if written.get(name) != kept.get(name)] == []
