"""Run the suite in parts side by side, and sum up in one line at the end.

What `make test`, `make test-slow` and `make test-all` call. What they take from the
system is looked for, or fetched, before the first test. Tests that wait for a browser or kill
programs run beside the others, which are niced, and the tests of one file in one process, because
they share expensive fixtures. There are three processes for two processors, for all of them wait.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import STDOUT, Popen
from tempfile import TemporaryFile
from typing import IO

from packages import MissingError, provide, tools

ROOT = Path(__file__).resolve().parents[1]
IN_BROWSER = ("tests/web/browser",)
KILLING = ("tests/network", "tests/web/test_kill.py")
QUICK = ("-m", "not slow", "--ignore=tests/benchmarks")  # all of these are slow
SLOW = ("-m", "slow")
TRAINING = "tests/vision/train"  # `make test-training` sets torch up for these
COUNTED = re.compile(r"(\d+) (failed|passed|skipped|xfailed|xpassed|error|warning)s?\b")
PROGRESS = re.compile(rb"\[ *(\d+)%\]")
NAMED = re.compile(r"(?:FAILED|ERROR) (\S+(?: (?!- )\S+)*)")
ORDER = ("failed", "error", "passed", "skipped", "xfailed", "xpassed", "warning")
LARGEST_SEED = 2**32 - 1
LOOK_SECONDS = 0.1
TELL_SECONDS = 60.0
TESTS_FAILED = 1  # pytest's exit status
MOST_AGAIN = 5  # more than that is no bad luck


@dataclass(frozen=True, slots=True)
class Part:
    """Tests that run in one pytest of their own, `niceness` behind the others.

    Where a test can fail because others take the processors from it, what failed runs `again`,
    alone, when all others have ended: only that counts, and it is told.
    """

    name: str
    arguments: tuple[str, ...]
    niceness: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a part ended: its exit status and all that it said."""

    part: Part
    status: int
    told: str

    @property
    def counts(self) -> Counter[str]:
        """Tests by what became of them; a part that ended without a count is an error."""
        closing = self.told.rstrip().rpartition("\n")[2]
        counts = Counter({what: int(number) for number, what in COUNTED.findall(closing)})
        if self.status and not counts["failed"] + counts["error"]:
            counts["error"] += 1
        return counts

    @property
    def faults(self) -> list[str]:
        """The tests that failed, by name."""
        named = [line for line in self.told.splitlines() if NAMED.match(line)]
        if self.status and not named:
            return [f"ERROR {self.part.name}: pytest ended with {self.status}, see above"]
        return named


def parts(marked: Sequence[str], *, coverage: bool, only: Sequence[str] = ()) -> list[Part]:
    """The suite, or those tests alone. What serves tables is not traced: pages would be slower."""
    if only:
        return [Part("what was asked for", tuple(only))]
    others = [f"--ignore={path}" for path in (*IN_BROWSER, *KILLING, TRAINING)]
    traced = ("--cov", "--cov-report=") if coverage else ()
    files = ("-n", str((os.cpu_count() or 1) * 3 // 2), "--dist", "loadfile")
    return [
        Part("in the browser", (*files, *marked, *IN_BROWSER), again=True),
        Part("over networks and kills", (*marked, *KILLING), niceness=5, again=True),
        Part("all others", (*files, *marked, *traced, *others), niceness=10),
    ]


@contextmanager
def started(part: Part, seed: int, told: IO[bytes]) -> Iterator[Popen[bytes]]:
    """The part, running, its output in a file; whatever ends the run ends the part too."""
    pytest = (sys.executable, "-m", "pytest", "-q", f"--randomly-seed={seed}")
    command = ("nice", "-n", str(part.niceness), *pytest, *part.arguments)
    with Popen(command, stdout=told, stderr=STDOUT, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.terminate()


def outcomes(wanted: Sequence[Part], seed: int) -> Iterator[Outcome]:
    """Run the parts side by side, telling how far they are; each comes when it has ended."""
    with ExitStack() as stack:
        files = {part: stack.enter_context(TemporaryFile()) for part in wanted}
        running = {
            part: stack.enter_context(started(part, seed, file)) for part, file in files.items()
        }
        begun = told = time.monotonic()
        while running:
            time.sleep(LOOK_SECONDS)
            for part in [part for part, process in running.items() if process.poll() is not None]:
                status = running.pop(part).returncode
                yield Outcome(part, status, _written(files[part]).decode(errors="replace"))
            if running and time.monotonic() - told >= TELL_SECONDS:
                told = time.monotonic()
                far = "; ".join(f"{part.name} {_percent(files[part])} %" for part in running)
                print(f"After {(told - begun) / 60:.0f} min: {far}", flush=True)


def _written(file: IO[bytes]) -> bytes:
    """All that a part has said so far; its place in the file, which it shares, stays."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def _percent(file: IO[bytes]) -> str:
    return max(PROGRESS.findall(_written(file)), key=int, default=b"0").decode()


def run(wanted: Sequence[Part], seed: int) -> int:
    """Run the parts, print what each says and the sum of all; the exit status."""
    begun = time.monotonic()
    names = "; ".join(part.name for part in wanted)
    print(f"Running side by side: {names}. The seed is {seed}.", flush=True)
    ended = []
    for outcome in outcomes(wanted, seed):
        ended.append(outcome)
        print(f"\n== {outcome.part.name}\n{outcome.told}", flush=True)
    ended = [_alone(outcome, seed) for outcome in ended]
    counts = sum((outcome.counts for outcome in ended), Counter[str]())
    summed = ", ".join(f"{counts[what]} {what}" for what in ORDER if counts[what])
    print(f"\n== all together, seed {seed}")
    for line in conclusion([fault for outcome in ended for fault in outcome.faults], seed):
        print(line)
    print(f"{summed} in {time.monotonic() - begun:.2f}s")
    return int(any(outcome.status for outcome in ended))


def conclusion(faults: Sequence[str], seed: int) -> list[str]:
    """What failed, by name, and how to run one of it alone."""
    if not faults:
        return []
    lines = list(faults)
    found = NAMED.match(faults[-1])
    if found and "::" in found[1]:
        again = shlex.join([".venv/bin/python", ".ci/run_tests.py", f"--seed={seed}", found[1]])
        lines.append(f"Run one alone, such as the last: {again}")
    return lines


def _alone(outcome: Outcome, seed: int) -> Outcome:
    """The outcome once those few that failed beside others have run again by themselves."""
    named = filter(None, map(NAMED.match, outcome.told.splitlines()))
    failed = list(dict.fromkeys(each[1] for each in named))
    is_tests_alone = outcome.status == TESTS_FAILED  # and pytest itself came to its end
    if not (outcome.part.again and is_tests_alone and len(failed) <= MOST_AGAIN):
        return outcome
    part = replace(outcome.part, name=f"{outcome.part.name}, alone", arguments=tuple(failed))
    (alone,) = outcomes([part], seed)
    print(f"\n== {part.name}\n{alone.told}", flush=True)
    if alone.status:
        return outcome
    for name in failed:
        print(f"UNSTEADY {name}: failed beside the others, passed alone; look why", flush=True)
    counts = replace(outcome, status=0).counts
    passed = counts["passed"] + len(failed)
    return replace(outcome, status=0, told=f"{passed} passed, {counts['skipped']} skipped")


def main() -> int:
    """The exit status is 1 when a part failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--coverage", action="store_true", help="note which lines are run")
    for name, marked, told in (
        ("--slow", SLOW, "those marked as slow alone"),
        ("--all", (), "those marked as slow, too"),
    ):
        parser.add_argument(name, action="store_const", dest="marked", const=marked, help=told)
    parser.set_defaults(marked=QUICK)
    parser.add_argument("--seed", type=int, help="the random order of an earlier run")
    parser.add_argument("only", nargs="*", help="these tests alone: files, folders or names")
    asked = parser.parse_args()
    # whoever ends this run ends its parts, too: else they go on beside the next one
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        os.environ.update(provide(tools("test")))
    except MissingError as error:
        print(f"tablescore: {error}", file=sys.stderr)
        return 2
    os.environ["no_proxy"] = "*"  # what the tests ask is on this machine, whatever way it has out
    # where compiled modules may not be kept, each program that a test starts compiles them all anew
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    seed = random.randrange(LARGEST_SEED) if asked.seed is None else asked.seed
    return run(parts(asked.marked, coverage=asked.coverage, only=asked.only), seed)


if __name__ == "__main__":
    sys.exit(main())
