"""`tablescore run`: the table itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli.options import database_option, settings_option
from web.logs import LogPlan, configure_logs, log_options
from web.plan import Facts, Plan, chosen_settings
from web.server import listen, serve
from web.wiring import RunningTable, reserved_database, start_table

if TYPE_CHECKING:
    from web.certificates import TableCertificate


@click.command(epilog="Example: tablescore run --camera webcam:0 --host 0.0.0.0 lets a tablet in.")
@click.option(
    "--camera",
    metavar="SOURCE",
    help="folder:PATH, picamera, webcam:N, or upload for a phone's photos. Without one here "
    "and in the settings the demo evening is played.",
)
@click.option("--host", metavar="H", help="127.0.0.1 is this machine alone, 0.0.0.0 the network.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="0 takes any free port.")
@click.option(
    "--https", is_flag=True, help="Answer the network over https, with a certificate of its own."
)
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
    https: bool,
    log: LogPlan,
) -> None:
    """Start the table and its page; Ctrl-C ends it.

    The newest unfinished game goes on. What is not named here comes from the settings, and
    what they leave out has a default.
    """
    recent = configure_logs(log)
    settings = chosen_settings(
        settings_file, camera=camera, database=database, host=host, port=port, https=https
    )
    plan, page = Plan.of(settings), settings.page
    certificate = plan.certificate()
    with reserved_database(plan.database), listen(page.host, page.port) as listening:
        number = listening.getsockname()[1]

        def start() -> RunningTable:  # in the process that serves the page
            table = start_table(plan, number, recent.lines, certificate)
            text = start_text(plan, table.facts, number, table.games, certificate)
            click.echo(text, nl=False)
            return table

        serve(listening, start, page.viewer_limit, certificate=certificate)


def start_text(
    plan: Plan,
    facts: Facts,
    port: int,
    games: int,
    certificate: TableCertificate | None = None,
) -> str:
    """What is printed at the start: what is real, where the games are, and how to get in."""
    camera = "simulated" if facts.camera_simulated else "real"
    pins = "simulated" if facts.buttons_simulated else "real"
    reach = "closed; “make run HOST=0.0.0.0” lets a tablet in"
    if facts.open_to_network:
        reach = "everyone on it can see this table and act at it"
    stored = f"{games} stored" if games else "none stored yet"
    lines = [
        f"Tablescore: {'the demo evening' if facts.demo else 'the table'}",
        f"  camera   {camera}: {facts.camera}",
        f"  buttons  {pins}: {facts.pins}",
        f"  lamps    {pins}: {facts.pins}",
        f"  games    {plan.place} ({stored})",
        *(f"  open     {address}" for address in plan.addresses(port)),
        *([] if certificate is None else https_lines(plan, certificate, port)),
        f"  network  {reach}",
        "  stop     Ctrl-C",
    ]
    return "".join(f"{line}\n" for line in lines)


def https_lines(plan: Plan, certificate: TableCertificate, port: int) -> Iterator[str]:
    """How a device comes to trust the table, and by which names it cannot."""
    address = (plan.reachable(port) or plan.addresses(port))[0].replace("https:", "http:")
    yield f"  https    how a device trusts it: {address}certificate"
    yield f"           SHA-256 {certificate.authority.fingerprint}"
    if certificate.left_out:
        yield (
            f"           not by {', '.join(certificate.left_out)}: for these, delete "
            f"{certificate.authority_file}, and have each device trust the new authority"
        )
