"""What a start decides before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.pins import Pins
from scoreboard.storage import database_path
from tests.web.table_fake import forgetful_access
from web.cli.run import asked_text, pairing_text, start_text
from web.shared.plan import Plan, chosen_settings
from web.shared.qr_code import qr_text
from web.shared.settings import (
    ButtonSettings,
    CameraSettings,
    PageSettings,
    Settings,
    TableSettings,
    Watching,
)

NO_PINS = Pins(None, "no pins in this test")
REAL_PINS = Pins(object(), "the pins of this Raspberry Pi")
EVERYWHERE = "0.0.0.0"  # noqa: S104 - compared with, never bound
LINK = "http://127.0.0.1:8000/here/a-key/"


def plan_of(
    camera: str = "", host: str = "127.0.0.1", database: str = "", watching: Watching = "open"
) -> Plan:
    """The plan of settings that say only this."""
    return Plan.of(
        Settings(
            page=PageSettings(host=host, watching=watching),
            camera=CameraSettings(camera),
            table=TableSettings(database),
        )
    )


def test_without_a_camera_the_demo_plays_in_a_database_of_its_own() -> None:
    """A demo evening never mixes with one's own games."""
    demo, own = plan_of(), plan_of("webcam:0")
    assert (demo.demo, own.demo) == (True, False)
    assert database_path(demo.database) != database_path(own.database)


def test_a_named_database_is_taken_for_either() -> None:
    """Whoever names a database means it."""
    assert plan_of(database="sqlite:///club.sqlite3").database == "sqlite:///club.sqlite3"
    assert plan_of("upload", database="memory:").place == "memory:"


@pytest.mark.parametrize(
    ("camera", "words"),
    [
        ("", "rendered pictures of the demo evening"),
        ("folder:photos/new", "the pictures in the folder photos/new"),
        ("webcam:1", "webcam 1"),
        ("stream:http://me:secret@cam.lan/v?k=1", "the stream http://cam.lan/v"),
        ("picamera", "the Raspberry Pi’s camera"),
        ("upload", "photos that a phone sends on the page"),
        ("phone", "a phone’s camera, live"),
        ("other", "other"),
    ],
)
def test_the_camera_is_reported_in_words(camera: str, words: str) -> None:
    """What is real and what is simulated is said by name."""
    facts = plan_of(camera).facts(NO_PINS)
    assert str(facts.camera) == words
    assert facts.camera_simulated is (camera == "")


def test_on_loopback_nobody_else_gets_an_address() -> None:
    """The page knows that only this machine reaches it."""
    plan = plan_of("upload")
    assert not plan.facts(NO_PINS).open_to_network
    assert plan.reachable(8000) == ()


def test_on_the_network_the_tablet_gets_the_address() -> None:
    """A bound address is told as it is; loopback's is of no use to a tablet."""
    plan = plan_of("upload", host="192.0.2.7")
    assert plan.facts(REAL_PINS).open_to_network
    assert plan.reachable(8000) == ("http://192.0.2.7:8000/",)
    everywhere = plan_of("upload", host=EVERYWHERE)
    assert not any("127.0.0.1" in address for address in everywhere.reachable(8000))


def test_the_command_line_beats_the_settings(tmp_path: Path) -> None:
    """What it leaves out stays as the settings say; an empty camera asks for the demo."""
    file = tmp_path / "table.toml"
    file.write_text('[page]\nhost = "192.0.2.7"\nport = 81\n[camera]\nsource = "upload"\n')
    page = PageSettings(host="192.0.2.7", port=81)
    settings = Settings(page=page, camera=CameraSettings("upload"))
    assert chosen_settings(None) == Settings()
    assert chosen_settings(file) == settings
    named = chosen_settings(file, camera="", database="memory:", host="127.0.0.1", port=0)
    assert (named.camera.source, named.table.database) == ("", "memory:")
    assert (named.page.host, named.page.port) == ("127.0.0.1", 0)
    assert not named.page.https
    assert chosen_settings(file, https=True).page.https


def test_a_phone_as_the_camera_switches_https_on(tmp_path: Path) -> None:
    """However it was chosen: browsers give a page their camera only there."""
    file = tmp_path / "table.toml"
    file.write_text('[page]\nhttps = false\n[camera]\nsource = "phone"\n')
    assert chosen_settings(None, camera="phone").page.https
    assert chosen_settings(file).page.https
    assert not chosen_settings(file, camera="webcam:0").page.https
    file.write_text("[page]\nhttps = true\n")
    assert chosen_settings(file).page.https


def test_the_start_text_says_what_is_real() -> None:
    """And why buttons are simulated, for a maker who wired some."""
    plan = plan_of("picamera", host=EVERYWHERE)
    text = start_text(plan, plan.facts(REAL_PINS), 8000, 12, link=LINK)
    assert "(12 stored)" in text
    assert "camera   real: the Raspberry Pi’s camera" in text
    assert "buttons  real: the pins of this Raspberry Pi" in text
    assert "everyone on it can watch; the devices that you let in can play" in text
    pins = Pins(None, "the pins need lgpio: the button panel on the page stands in")
    text = start_text(plan, plan.facts(pins), 8000, 0, link=LINK)
    assert f"buttons  simulated: {pins.description}" in text
    assert f"lamps    simulated: {pins.description}" in text


def test_the_start_text_calls_a_keypads_buttons_real() -> None:
    """Beside lamps that are not there."""
    plan = Plan.of(Settings(buttons=ButtonSettings(keys="AB Shutter3")))
    text = start_text(plan, plan.facts(NO_PINS), 8000, 0, link=LINK)
    assert f"buttons  real: keys of AB Shutter3; {NO_PINS.description}" in text
    assert f"lamps    simulated: {NO_PINS.description}" in text


@pytest.mark.parametrize(
    ("watching", "words"),
    [("code", "whoever has a link can watch"), ("closed", "watch and play, nobody else")],
)
def test_the_start_text_says_who_may_watch(watching: Watching, words: str) -> None:
    """As the settings say."""
    plan = plan_of("upload", host=EVERYWHERE, watching=watching)
    assert words in start_text(plan, plan.facts(NO_PINS), 8000, 0, link=LINK)


def test_the_terminal_shows_how_a_device_is_let_in() -> None:
    """The code as digits and as a square, and where the next one is found."""
    access = forgetful_access()
    plan = plan_of("upload", host="192.0.2.7")
    text = pairing_text(plan, plan.facts(REAL_PINS), access, 8000)
    code = access.pairing.code()
    assert code is not None
    assert code.role == "player"
    assert (
        f"open http://192.0.2.7:8000/pair on it and type {code.digits[:3]} {code.digits[3:]}"
        in text
    )
    assert qr_text(f"http://192.0.2.7:8000/pair#{code.digits}") in text
    assert "hold KEEP and REROLL" in text


def test_the_terminal_shows_a_code_that_a_device_asks_for() -> None:
    """As it shows the first one."""
    reachable, access = ("http://192.0.2.7:8000/", "http://192.0.2.8:8000/"), forgetful_access()
    code = access.pairing.new_code()
    text = asked_text(reachable, code)
    assert "asks to play" in text
    assert f"{code.digits[:3]} {code.digits[3:]}" in text
    assert qr_text(f"{reachable[0]}pair#{code.digits}") in text
    assert asked_text((), code) == ""


@pytest.mark.parametrize(
    ("host", "link"),
    [
        ("127.0.0.1", LINK),
        (EVERYWHERE, LINK),
        ("192.0.2.7", "http://192.0.2.7:8000/here/a-key/"),
    ],
)
def test_the_start_text_begins_with_the_link_of_the_tables_own_browser(
    host: str, link: str
) -> None:
    """Served at one address of the network the table has no other page of its own."""
    plan = plan_of("upload", host=host)
    text = start_text(plan, plan.facts(NO_PINS), 8000, 0, link=plan.own_link(8000, "a-key"))
    assert f"  open     {link} here, to do everything\n" in text


def test_nobody_is_let_in_where_nobody_is_reached() -> None:
    """On loopback there is no code."""
    access = forgetful_access()
    plan = plan_of("upload")
    assert pairing_text(plan, plan.facts(NO_PINS), access, 8000) == ""
    assert access.pairing.code() is None
