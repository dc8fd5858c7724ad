"""`tablescore run`: the table itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from web.cli.options import database_option, settings_option
from web.logs import LogPlan, configure_logs, log_options
from web.plan import Facts, Plan, chosen_settings
from web.server import listen, serve
from web.settings import Settings
from web.wiring import RunningTable, reserved_database, start_table


@click.command(epilog="Example: tablescore run --camera webcam:0 --host 0.0.0.0 lets a tablet in.")
@click.option(
    "--camera",
    metavar="SOURCE",
    help="folder:PATH, picamera, webcam:N, or upload for a phone's photos. Without one here "
    "and in the settings the demo evening is played.",
)
@click.option("--host", metavar="H", help="127.0.0.1 is this machine alone, 0.0.0.0 the network.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="0 takes any free port.")
@database_option
@settings_option
@log_options
def run(  # noqa: PLR0913 -- one an option
    camera: str | None,
    host: str | None,
    port: int | None,
    database: str | None,
    settings_file: Path | None,
    *,
    log: LogPlan,
) -> None:
    """Start the table and its page; Ctrl-C ends it.

    The newest unfinished game goes on. What is not said here comes from the settings, and
    what they leave out has a default.
    """
    recent = configure_logs(log)
    settings = combined(chosen_settings(settings_file), camera, host, port, database)
    plan = Plan.of(settings)
    page = settings.page
    with reserved_database(plan.database), listen(page.host, page.port) as listening:
        number = listening.getsockname()[1]
        serve(listening, lambda: started(plan, number, recent.lines), page.viewer_limit)


def started(plan: Plan, port: int, recent: Callable[[], Sequence[str]]) -> RunningTable:
    """Start the table, in the process that serves it, and say so."""
    table = start_table(plan, port, recent)
    click.echo(start_text(plan, table.facts, port, table.games), nl=False)
    return table


def combined(
    settings: Settings,
    camera: str | None,
    host: str | None,
    port: int | None,
    database: str | None,
) -> Settings:
    """The settings, with what the command line says in place of what they say."""
    page = replace(
        settings.page,
        host=settings.page.host if host is None else host,
        port=settings.page.port if port is None else port,
    )
    source = settings.camera.source if camera is None else camera
    place = settings.table.database if database is None else database
    return replace(
        settings,
        page=page,
        camera=replace(settings.camera, source=source),
        table=replace(settings.table, database=place),
    )


def start_text(plan: Plan, facts: Facts, port: int, games: int = 0) -> str:
    """What is told at the start: what is real, where how many games are, and how to get in."""
    lines = [
        f"Tablescore: {'the demo evening' if facts.demo else 'the table'}",
        f"  camera   {_kind(simulated=facts.camera_simulated)}: {facts.camera}",
        f"  buttons  {_kind(simulated=facts.buttons_simulated)}: {facts.pins}",
        f"  lamps    {_kind(simulated=facts.buttons_simulated)}: {facts.pins}",
        f"  games    {plan.place}{_found(games)}",
        *(f"  open     {address}" for address in plan.addresses(port)),
        *_who_may_act(facts),
        "  stop     Ctrl-C",
    ]
    return "".join(f"{line}\n" for line in lines)


def _found(games: int) -> str:
    return f" ({games} stored)" if games else " (none stored yet)"


def _kind(*, simulated: bool) -> str:
    return "simulated" if simulated else "real"


def _who_may_act(facts: Facts) -> list[str]:
    if facts.open_to_network:
        return ["  network  everyone on it can see this table and act at it"]
    return ["  network  closed; “make run HOST=0.0.0.0” lets a tablet in"]
