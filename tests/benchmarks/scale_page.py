"""The page about the scale of a hub, with its pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.figure import Figure

from tests.benchmarks.machine import machine, moment, versions
from tests.benchmarks.plots import COLOURS, MARKS
from tests.benchmarks.scale_event import WORKERS, Figures, Played, p95

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "reference" / "benchmark-scale.md"
PICTURE: Final = DOCS / "images" / "scale.svg"
FEWEST_A_SECOND: Final = 300.0
MOST_TO_BOARD_SECONDS: Final = 0.5
MEGABYTE: Final = 1e6
_INCHES: Final = (7.2, 6.4)
_SALT: Final = "tablescore"

TEMPLATE: Final = """\
# Benchmark: how large an event a hub can run

Whole tournaments at a real hub: `tablescore hub --workers {workers}` with PostgreSQL, started on
this machine for each size and filled by tables over HTTP. Each table joins with its code, always
waits for updates, and delivers real games: legal rounds of Rummikub at tables of four, played at
random beforehand, with every press, the opening and the four signatures. "Event" below means one
of these items. PostgreSQL flushes every commit to the disk.

Hub, database, tables and boards share the machine. The tables are one process with one thread and
prepared requests; each keeps two connections, as real tables do. The boards are another process.

- The tables deliver the first {bulk} of the {rounds} rounds a game at a time, like a table that
  was cut off.
- In the next round they send the last presses of every game one by one, as fast as the hub takes
  them ("events a second, one by one"). The floor is {floor:.0f}.
- In the last round each table sends the last {watched} presses of its game, one every {press:.0f}
  seconds, while {viewers} boards watch. The time counts from sending the end of a game to the
  moment when a board has received its result. The limit is a p95 of {board_floor:.0f} ms. Half of
  these presses end a game or sign it, and each of those enters the tournament's record. Rummikub
  players press once in 15 to 30 seconds.

| | {names} |
|---|{lines}|
{rows}

{verdicts}

![Events a second, and from table to board, by the number of tables](../images/{picture})

Measured on {machine}; {versions}; {moment}. If other programs load the machine, processor times
say more than wall times.

`make benchmark` measures again and rewrites this page. For a still larger tournament see
[What 100,000 players would need](scale.md).
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: its label, and its text for each size."""

    label: str
    told: Callable[[Figures], str]


def milliseconds_each(seconds: Callable[[Figures], float], events: Callable[[Figures], int]) -> Any:
    """Milliseconds for each event."""
    return lambda one: f"{1000 * seconds(one) / events(one):.2f} ms"


def whole_rate(figures: Figures) -> str:
    """Events a second when games arrive whole."""
    if not figures.whole:
        return "-"
    items = sum(one.told.items for one in figures.whole)
    return f"{items / sum(one.seconds for one in figures.whole):,.0f}"


def megabytes(count: float) -> str:
    """Bytes as megabytes."""
    return f"{count / MEGABYTE:,.0f} MB"


def shown(seconds: float) -> str:
    """A time in milliseconds."""
    return f"{seconds * 1000:,.0f} ms"


def boards(figures: Figures) -> Sequence[float]:
    """Seconds from tables to boards, for each result and board."""
    assert figures.paced.watched is not None
    return figures.paced.watched.to_boards


def missed(figures: Figures) -> str:
    """The number of results that boards never showed."""
    assert figures.paced.watched is not None
    seen = len(figures.paced.watched.to_boards)
    return f"{figures.paced.watched.missed:,} of {seen + figures.paced.watched.missed:,}"


def tried_again(figures: Figures) -> str:
    """The number of repeated requests."""
    rounds: tuple[Played, ...] = (*figures.whole, figures.fast, figures.paced)
    return f"{sum(one.told.tried_again for one in rounds):,}"


ROWS: Final = (
    Row("tables", lambda one: f"{one.size.tables:,}"),
    Row("players", lambda one: f"{one.size.entrants:,}"),
    Row("events kept at the end", lambda one: f"{one.events:,}"),
    Row("events a second, one by one", lambda one: f"**{one.a_second:,.0f}**"),
    Row("answer to a table then, median", lambda one: shown(median(one.fast.told.answer_seconds))),
    Row("answer to a table then, p95", lambda one: shown(p95(one.fast.told.answer_seconds))),
    Row(
        "processor for an event then: hub",
        milliseconds_each(lambda one: one.fast.cost.hub, lambda one: one.fast.told.items),
    ),
    Row(
        "… database",
        milliseconds_each(lambda one: one.fast.cost.database, lambda one: one.fast.told.items),
    ),
    Row(
        "… simulated tables",
        milliseconds_each(lambda one: one.fast.cost.tables, lambda one: one.fast.told.items),
    ),
    Row("events a second, games at a time", whole_rate),
    Row("presses a second before the boards", lambda one: f"{one.size.a_second:g}"),
    Row("from table to board, median", lambda one: shown(median(boards(one)))),
    Row("from table to board, p95", lambda one: f"**{shown(one.to_board)}**"),
    Row("results that a board never showed", missed),
    Row("requests that had to be sent again", tried_again),
    Row("closing the last round", lambda one: shown(one.closing_seconds)),
    Row("the sheet of all players’ links", lambda one: shown(one.links_seconds)),
    Row("memory of the hub’s processes", lambda one: megabytes(one.paced.hub_bytes)),
    Row("memory of the database’s", lambda one: megabytes(one.paced.database_bytes)),
    Row("on the disk", lambda one: megabytes(one.disk)),
    Row("on the disk for an event", lambda one: f"{one.disk / one.events:,.0f} bytes"),
)


def kept(figures: Figures) -> tuple[bool, bool]:
    """Whether both limits are kept: events a second, and from table to board."""
    return figures.a_second >= FEWEST_A_SECOND, figures.to_board < MOST_TO_BOARD_SECONDS


def write_page(all_sizes: Sequence[Figures], promised: Figures) -> None:
    """Write the page and its picture; the limits apply to the promised size."""
    PAGE.write_text(page(all_sizes, promised), encoding="utf-8")
    draw_picture(all_sizes, PICTURE)


def page(all_sizes: Sequence[Figures], promised: Figures) -> str:
    """The page's text."""
    size = promised.size
    rows = [f"| {row.label} | {' | '.join(map(row.told, all_sizes))} |" for row in ROWS]
    return TEMPLATE.format(
        workers=WORKERS,
        bulk=size.rounds - 2,
        rounds=size.rounds,
        floor=FEWEST_A_SECOND,
        watched=size.watched,
        press=size.press_seconds,
        viewers=size.viewers,
        board_floor=MOST_TO_BOARD_SECONDS * 1000,
        names=" | ".join(one.size.name for one in all_sizes),
        lines="|".join("---" for _ in all_sizes),
        rows="\n".join(rows),
        verdicts=_verdicts(promised),
        picture=PICTURE.name,
        machine=machine(),
        versions=versions(),
        moment=moment(),
    )


def _verdicts(figures: Figures) -> str:
    fast, near = kept(figures)
    return (
        f"The floors at {figures.size.tables} tables: events a second {_verdict(true=fast)}; "
        f"from table to board {_verdict(true=near)}."
    )


def _verdict(*, true: bool) -> str:
    return "kept" if true else "not kept"


def draw_picture(all_sizes: Sequence[Figures], file: Path) -> None:
    """Two curves over the number of tables, each with its floor."""
    tables = [one.size.tables for one in all_sizes]
    figure = Figure(figsize=_INCHES, layout="constrained")
    planes: Any = figure.subplots(2, sharex=True)
    _plot(planes[0], tables, [one.a_second for one in all_sizes], FEWEST_A_SECOND, 0)
    planes[0].set_ylabel("events a second")
    _plot(
        planes[1],
        tables,
        [one.to_board * 1000 for one in all_sizes],
        MOST_TO_BOARD_SECONDS * 1000,
        1,
    )
    planes[1].set_ylabel("table to board, p95, ms")
    planes[1].set_xlabel("tables")
    planes[1].set_xticks(tables, [str(each) for each in tables])
    file.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.hashsalt": _SALT}):
        figure.savefig(file, format="svg", metadata={"Date": None})


def _plot(
    plane: Any, tables: Sequence[int], values: Sequence[float], floor: float, which: int
) -> None:
    plane.set_xscale("log")
    plane.plot(tables, values, color=COLOURS[which], marker=MARKS[which], label="measured")
    plane.axhline(floor, color="#555555", linestyle="--", linewidth=1, label="floor")
    plane.set_ylim(bottom=0)
    plane.minorticks_off()
    plane.grid(color="#dddddd")
    plane.legend(frameon=False)
