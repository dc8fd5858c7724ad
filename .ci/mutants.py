"""Change one module a little, many times, and list the changes that no test notices.

What `make mutants ONLY=scoreboard/dice.py` calls; `TESTS` names other tests than the module's own.
mutmut reads its settings from pyproject.toml, so it runs in a copy of the tracked files whose
pyproject.toml names that module: the checkout stays as it is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORKPLACE = ROOT / ".cache" / "mutants"


def own_tests(module: Path) -> Path:
    """The test file named after a module, or else the folder of tests that mirrors its own."""
    folder = ROOT / "tests" / module.parent
    named = folder / f"test_{module.name}"
    return (named if named.exists() else folder).relative_to(ROOT)


def copy_tracked_files(target: Path) -> list[str]:
    """Copy the tracked files of the checkout, and give their top-level names."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607  whichever git made the checkout
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return sorted({name.partition("/")[0] for name in names})


def main() -> int:
    """Run mutmut on the module given, and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", type=Path, help="such as scoreboard/dice.py")
    parser.add_argument("tests", type=Path, nargs="?", help="the tests that should notice")
    asked = parser.parse_args()
    module, tests = asked.module, asked.tests or own_tests(asked.module)
    for path in (module, tests):
        if path.is_absolute() or not (ROOT / path).exists():
            sys.exit(f"There is no {path}: name a path from the top of the checkout.")
    shutil.rmtree(WORKPLACE, ignore_errors=True)
    settings = {
        "source_paths": [module.parts[0]],
        "only_mutate": [str(module)],
        "also_copy": copy_tracked_files(WORKPLACE),
        "pytest_add_cli_args_test_selection": [str(tests)],
        "pytest_add_cli_args": ["-p", "no:xdist", "-p", "no:cacheprovider"],
        "use_git_change_detection": False,
    }
    with (WORKPLACE / "pyproject.toml").open("a", encoding="utf-8") as project:
        # A list or a Boolean of JSON is also one of TOML.
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in settings.items()]
        project.write("\n[tool.mutmut]\n" + "".join(lines))
    mutmut = [sys.executable, "-m", "mutmut"]
    status = subprocess.run([*mutmut, "run"], cwd=WORKPLACE, check=False).returncode
    subprocess.run([*mutmut, "results"], cwd=WORKPLACE, check=False)
    return status


if __name__ == "__main__":
    sys.exit(main())
