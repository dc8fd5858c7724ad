"""`tablescore run`: the table itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from scoreboard.text_files import read_text
from web.cli.options import games_options
from web.shared.logs import LogPlan, configure_logs, log_options
from web.shared.plan import Facts, Plan, chosen_settings
from web.shared.qr_code import qr_text
from web.shared.server import PageProcess, begin_anew, listen, serve
from web.shared.settings import Watching
from web.wiring import RunningTable

if TYPE_CHECKING:
    from web.shared.certificates import TableCertificate
    from web.table.people.access import Access
    from web.table.people.devices import PairingCode

REACH: Final[Mapping[Watching, str]] = {
    "open": "everyone on it can watch; the devices that you let in can play",
    "code": "whoever has a link can watch; the devices that you let in can play",
    "closed": "the devices that you let in can watch and play, nobody else",
}


def take_options(ctx: click.Context, _param: click.Parameter, file: Path | None) -> None:
    """Take this command's defaults from a file that Home Assistant wrote. Raises BadParameter."""
    try:
        given = {} if file is None else json.loads(read_text(file))
        ctx.default_map = {name: value for name, value in given.items() if value not in ("", None)}
    except (ValueError, AttributeError) as error:
        raise click.BadParameter(f"{file} is no JSON object; write it as --help says.") from error


@click.command(epilog="Example: tablescore run --camera webcam:0 --host 0.0.0.0 lets a tablet in.")
@click.option(
    "--camera",
    metavar="SOURCE",
    help="folder:PATH, picamera, stream:URL, webcam:N, phone for a phone's live camera, or upload "
    "for its photos. Without one here and in the settings: the one chosen on the page, else the "
    "demo evening.",
)
@click.option("--host", metavar="H", help="127.0.0.1 is this machine alone, 0.0.0.0 the network.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="0 takes any free port.")
@click.option(
    "--https", is_flag=True, help="Answer the network over https, with a certificate of its own."
)
@click.option(
    "--ingress",
    metavar="ADDRESS",
    envvar="TABLESCORE_INGRESS",
    help="Where Home Assistant's Supervisor is, as 172.30.32.2, for its add-on.",
)
@click.option(
    "--options",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    envvar="TABLESCORE_OPTIONS",
    is_eager=True,  # before the options that it names
    expose_value=False,
    callback=take_options,
    help='Options not named here, as JSON: {"camera": "webcam:0"}; an empty one is not set.',
)
@games_options
@log_options
def run(  # noqa: PLR0913 -- one an option
    camera: str | None,
    host: str | None,
    port: int | None,
    database: str | None,
    settings_file: Path | None,
    *,
    https: bool,
    ingress: str | None,
    log: LogPlan,
) -> None:
    """Start the table and its page; Ctrl-C ends it.

    The newest unfinished game goes on. What is not named here comes from the settings, and
    what they leave out has a default.
    """
    recent = configure_logs(log)
    settings = chosen_settings(
        settings_file,
        camera=camera,
        database=database,
        host=host,
        port=port,
        https=https,
        ingress=ingress,
    )
    plan, page = Plan.of(settings), settings.page
    certificate = plan.certificate()
    with reserved_database(plan.database), listen(page.host, page.port) as listening:
        number = listening.getsockname()[1]

        def start(process: PageProcess) -> RunningTable:  # in the process that serves the page
            again = partial(process.start_again, "--port", str(number))
            table = RunningTable(plan, number, None, recent.lines, certificate, again)
            link = plan.own_link(number, str(table.app.secret_key))
            text = start_text(plan, table.facts, number, table.games, certificate, link=link)
            click.echo(text, nl=False)
            click.echo(pairing_text(plan, table.facts, table.access, number), nl=False)

            def report(address: str) -> None:
                click.echo(f"  open     {address}")
                if (address,) == plan.reachable(number)[:1]:  # the code above leads nowhere now
                    click.echo(pairing_text(plan, table.facts, table.access, number), nl=False)

            table.addresses.report = report
            table.access.pairing.show_asked(
                lambda code: click.echo(asked_text(plan.reachable(number), code))
            )
            return table

        anew = serve(listening, start, page.viewer_limit, certificate=certificate)
    if anew:
        begin_anew(*anew)


@contextmanager
def reserved_database(url: str) -> Iterator[None]:
    """Be the only table of this database, proven to be usable. Raises StoreError, SchemaError."""
    from scoreboard.storage import lock_database, open_store  # noqa: PLC0415 -- a second

    with lock_database(url):
        open_store(url).close()
        yield


def start_text(  # noqa: PLR0913 -- what it tells, by name
    plan: Plan,
    facts: Facts,
    port: int,
    games: int,
    certificate: TableCertificate | None = None,
    *,
    link: str,
) -> str:
    """What is printed at the start: what is real, where the games are, and how to get in.

    The `link` opens the page as this machine's own.
    """
    kinds = {True: "simulated", False: "real"}
    reach = "closed; --host 0.0.0.0 (“make run HOST=0.0.0.0”) lets a tablet in"
    if facts.open_to_network:
        reach = REACH[plan.settings.page.watching]
    stored = f"{games} stored" if games else "none stored yet"
    lines = [
        f"Tablescore: {'the demo evening' if facts.demo else 'the table'}",
        f"  camera   {kinds[facts.camera_simulated]}: {facts.camera}",
        f"  buttons  {kinds[facts.buttons_simulated]}: {facts.buttons}",
        f"  lamps    {kinds[facts.lamps_simulated]}: {facts.pins}",
        f"  games    {plan.place} ({stored})",
        f"  open     {link} here, to do everything",
        *(f"  open     {address}" for address in plan.reachable(port)),
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


def pairing_text(plan: Plan, facts: Facts, access: Access, port: int) -> str:
    """The first code that lets a device in, for this terminal; empty if none can reach it."""
    reachable = plan.reachable(port)
    if not reachable:
        return ""
    code = access.pairing.new_code()
    page, who, warned = f"{reachable[0]}pair", "Let a phone or tablet", ""
    if plan.settings.camera.source == "phone":
        page, who = f"{reachable[0]}camera", "Make a phone the camera, and let it"
        warned = "If its browser warns, tap “Advanced” or “Show Details”, and go on.\n"
    hold = ",\nor hold KEEP and REROLL on the panel for three seconds"
    return (
        f"\n{who} play: {code_text(page, code)}\n{warned}"
        f"For a new code tap “Ask to play” on it, or open “Devices” as an owner"
        f"{'' if facts.buttons_simulated else hold}.\n"
    )


def asked_text(reachable: Sequence[str], code: PairingCode) -> str:
    """The terminal's text when a device asks to play; none if none can reach it."""
    return "".join(
        f"\nA phone or tablet asks to play: {code_text(f'{address}pair', code)}"
        for address in reachable[:1]
    )


def code_text(page: str, code: PairingCode) -> str:
    """How a device uses the code at that page."""
    return (
        f"scan this with it within two minutes,\n"
        f"or open {page} on it and type {code.digits[:3]} {code.digits[3:]}.\n\n"
        f"{qr_text(f'{page}#{code.digits}')}"
    )
