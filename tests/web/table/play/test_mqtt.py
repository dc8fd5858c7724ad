"""The table on a real broker: what is published, what a broker may do, and what never happens."""

from __future__ import annotations

import json
import logging
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from hardware.pins import Pins
from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceRolled, ScoreCategory
from scoreboard.message import message
from scoreboard.table.requests import TOO_EARLY, Action, Answer, Pressed, Proposed
from tests.patience import until
from tests.scoreboard.table.fakes import Table, reading
from tests.web.process import ROOT
from tests.web.table_fake import NO_GAME, proposal_of, view_of
from web.shared.plan import Plan, settings_without_secrets
from web.shared.settings import CameraSettings, MqttSettings, Settings, TableSettings
from web.table.play.mqtt import KEEP_ALIVE_SECONDS, WAITS, MqttAnnouncer, documents
from web.wiring import RunningTable

SBIN = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
SECRET = "four plain words"  # noqa: S105 -- of a broker that lives in a test
PRESS = "long-enough-to-be-a-secret"
USERS = ("table", "tablescore", "remote", "display")
PRESS_TOPIC = f"tablescore/press/{PRESS}"
BUTTONS = {"keep": "KEEP", "reroll": "REROLL", "undo": "UNDO"}


class Broker:
    """A real mosquitto on a free port of loopback; with a password it lets in nobody else.

    `rights` are the lines of its ACL file. `subscribed` is what was asked of it.
    """

    def __init__(self, folder: Path, password: str = "", rights: str = "") -> None:
        found = shutil.which("mosquitto") or shutil.which("mosquitto", path=SBIN)
        if found is None:
            pytest.skip("To try a real broker, install the Debian package `mosquitto`.")
        self._program = found
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self._settings = folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", f"allow_anonymous {str(not password).lower()}"]
        if password:
            known = folder / "passwords"
            known.write_text("".join(f"{user}:{password}\n" for user in USERS))
            subprocess.run(["mosquitto_passwd", "-U", str(known)], check=True)  # noqa: S607
            lines += [f"password_file {known}", "user root"]  # else it could not read it as root
        if rights:
            (folder / "rights").write_text(rights)
            lines += [f"acl_file {folder / 'rights'}", *([] if password else ["user root"])]
        self._log = folder / "mosquitto.log"
        self._settings.write_text("\n".join([*lines, ""]))

    def start(self) -> None:
        """Let it listen; what was retained before is forgotten."""
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [self._program, "-v", "-c", str(self._settings)],
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        until(self._listens)

    @property
    def subscribed(self) -> list[str]:
        """What it was asked to send on, by whom, as its log says."""
        return [line for line in self._log.read_text().splitlines() if "(QoS" in line]

    def listens_for_presses(self) -> bool:
        """Whether a table is connected that can be pressed."""
        return any(PRESS_TOPIC in line for line in self.subscribed)

    def send(self, payload: str | bytes, user: str = "", *, retain: bool = False) -> None:
        """Press by radio, as a button or a smart home does; the broker has it when this is done."""
        client = Client(CallbackAPIVersion.VERSION2)
        if user:
            client.username_pw_set(user, SECRET)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        until(client.is_connected)
        client.publish(PRESS_TOPIC, payload, qos=1, retain=retain).wait_for_publish()
        client.disconnect()
        client.loop_stop()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @contextmanager
    def listener(self, **login: str) -> Iterator[dict[str, Any]]:
        """What a display or a smart home has received by now: the newest document of each topic."""
        received: dict[str, Any] = {}

        def take(_client: Client, _data: object, sent: MQTTMessage) -> None:
            text = sent.payload.decode()
            received[sent.topic] = json.loads(text) if text.startswith("{") else text

        client = Client(CallbackAPIVersion.VERSION2)
        client.on_message = take
        if login:
            client.username_pw_set(**login)
        client.connect("127.0.0.1", self.port)
        client.subscribe("#")
        client.loop_start()
        try:
            yield received
        finally:
            client.disconnect()
            client.loop_stop()


@contextmanager
def running(folder: Path, password: str = "", rights: str = "") -> Iterator[Broker]:
    """A broker that is gone at the end, whatever became of it."""
    broker = Broker(folder, password, rights)
    try:
        broker.start()
        yield broker
    finally:
        broker.kill()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker that runs and lets in everybody."""
    with running(tmp_path) as broker:
        yield broker


@contextmanager
def announcing(settings: MqttSettings, *more: Callable[[], Any]) -> Iterator[MqttAnnouncer]:
    """A table's announcer, at work."""
    announcer = MqttAnnouncer(settings, *more)
    announcer.start()
    try:
        yield announcer
    finally:
        announcer.stop()


@pytest.mark.slow
def test_the_essentials_of_each_view_are_published(broker: Broker) -> None:
    """As JSON; whoever comes later gets the newest, and at the end that the table is gone."""
    first = DiceRolled(Roll.parse("22255"))
    scored = replace(
        view_of(first, ScoreCategory("full-house")), last_score=message("25 in Full house")
    )
    with announcing(MqttSettings(broker.address, topic="home/dice")) as announcer:
        announcer.announce(replace(view_of(), keep=message("Record it")))
        with broker.listener() as early:
            until(lambda: early.get("home/dice/status") == "online")
            until(lambda: "home/dice/buttons" in early)
            assert early["home/dice/table"] == {
                "stage": "rolling",
                "game": "yahtzee",
                "player": "North",
                "camera": "still",
                "read": None,
                "roll": None,
                "rolls_made": 0,
                "last_score": None,
                "lamp": "ready",
                "paused": False,
            }
            assert early["home/dice/buttons"] == {"keep": True, "reroll": False, "undo": False}
            announcer.announce(replace(scored, proposal=proposal_of("13356")))
            until(lambda: early["home/dice/table"]["player"] == "South")
            assert early["home/dice/table"]["read"] == [1, 3, 3, 5, 6]
            assert early["home/dice/table"]["lamp"] == "confirm"
            assert early["home/dice/table"]["last_score"] == "25 in Full house"
            until(lambda: early["home/dice/scores"]["leaders"])
        with broker.listener() as late:
            until(lambda: len([each for each in late if each.startswith("home/dice/")]) == 4)
            assert late["home/dice/scores"] == {
                "players": [{"name": "North", "total": "25"}, {"name": "South", "total": "0"}],
                "leaders": ["North"],
            }
            announcer.stop()
            until(lambda: late["home/dice/status"] == "offline")


def test_every_member_is_documented() -> None:
    """Who builds a display reads no code."""
    page = (ROOT / "docs" / "reference" / "mqtt.md").read_text(encoding="utf-8")
    for topic, document in documents(view_of()).items():
        assert f"| `tablescore/{topic}` |" in page
        for member in document:
            assert f"`{member}`" in page or f'"{member}"' in page, (topic, member)


@pytest.mark.slow
def test_home_assistant_finds_every_sensor_by_itself(broker: Broker) -> None:
    """Each of one device, with a template for what is published."""
    with announcing(MqttSettings(broker.address)) as announcer, broker.listener() as received:
        announcer.announce(view_of())
        until(lambda: "tablescore/buttons" in received)
        found = {
            topic: each
            for topic, each in received.items()
            if topic.endswith("/config") and each  # an empty one deletes it there
        }
    assert {topic.split("/")[3] for topic in found} == {
        "player",
        "stage",
        "last_score",
        "leaders",
        "lamp",
        "camera_lost",
    }
    assert {topic.split("/")[1] for topic in found} == {"sensor", "binary_sensor"}
    assert len({str(each["device"]["identifiers"]) for each in found.values()}) == 1
    assert len({each["unique_id"] for each in found.values()}) == len(found)
    for each in found.values():
        assert each["availability_topic"] == "tablescore/status"
        names = each["value_template"].split("value_json.")[1:]
        keys = {name.replace("}", " ").split()[0] for name in names}
        keys = {key.split("'")[0].rstrip("=") for key in keys}
        assert keys <= received[each["state_topic"]].keys()
        assert each["origin"]["name"] == "Tablescore"
        assert "configuration_url" not in each["device"]  # this machine alone is served


@pytest.mark.slow
def test_home_assistant_presses_where_the_settings_say_so(broker: Broker) -> None:
    """Three buttons, of a device of its own name and address; switched off, they are deleted."""
    named = MqttSettings(broker.address, name="Kitchen table", press=PRESS)
    with announcing(named, lambda: ["http://192.168.1.7:8000/"]) as announcer:
        announcer.announce(view_of())
        with broker.listener() as received:
            until(lambda: "tablescore/buttons" in received)
            buttons = {topic: each for topic, each in received.items() if "/button/" in topic}
    assert {topic.split("/")[3]: each["payload_press"] for topic, each in buttons.items()} == (
        BUTTONS
    )
    for each in buttons.values():
        assert each["command_topic"] == PRESS_TOPIC
        assert each["device"]["name"] == "Kitchen table"
        assert each["device"]["configuration_url"] == "http://192.168.1.7:8000/"
    with announcing(replace(named, press="")) as announcer:
        announcer.announce(view_of())
        with broker.listener() as received:
            until(lambda: received.get("tablescore/status") == "online")
            until(lambda: not any(received.get(topic) for topic in buttons))
        with broker.listener() as later:
            until(lambda: "tablescore/buttons" in later)
            assert not buttons.keys() & later.keys()


@pytest.mark.slow
def test_without_discovery_only_the_tables_own_topics_are_published(broker: Broker) -> None:
    """An empty prefix says so."""
    with (
        announcing(MqttSettings(broker.address, discovery="")) as announcer,
        broker.listener() as received,
    ):
        announcer.announce(view_of())
        until(lambda: "tablescore/buttons" in received)
    assert {topic.split("/")[0] for topic in received} == {"tablescore"}


@pytest.mark.slow
def test_a_table_that_dies_is_offline(broker: Broker) -> None:
    """Its last will says so: nobody else can."""
    script = (
        "import os, sys, time; from web.table.play.mqtt import MqttAnnouncer, documents; "
        "from web.shared.settings import MqttSettings; from tests.web.table_fake import NO_GAME; "
        "announcer = MqttAnnouncer(MqttSettings(sys.argv[1])); announcer.start(); "
        "announcer.announce(NO_GAME); time.sleep(1000)"
    )
    dying = subprocess.Popen([sys.executable, "-c", script, broker.address], cwd=ROOT)
    with broker.listener() as received:
        until(lambda: received.get("tablescore/status") == "online")
        dying.kill()
        dying.wait()
        until(lambda: received["tablescore/status"] == "offline")


@pytest.mark.slow
def test_a_broker_that_was_killed_is_told_all_again(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    """It forgot everything. Meanwhile the table went on, and the log has a line for each reason."""
    with caplog.at_level(logging.INFO), announcing(MqttSettings(broker.address)) as announcer:
        announcer.announce(view_of())
        until(lambda: "connected" in caplog.text)
        broker.kill()
        until(lambda: "no connection" in caplog.text)
        announcer.announce(replace(view_of(), paused=message("The disk is full.")))
        broker.start()
        with broker.listener() as received:
            until(lambda: "tablescore/buttons" in received)
            assert received["tablescore/status"] == "online"
            assert received["tablescore/table"]["paused"] is True
            assert any(topic.startswith("homeassistant/") for topic in received)
    assert len([line for line in caplog.messages if "no connection" in line]) <= 2


@pytest.mark.parametrize("accepts", [True, False])
def test_a_broker_that_hangs_or_is_not_there_never_holds_the_table_up(*, accepts: bool) -> None:
    """It takes a connection and says nothing; or nobody listens. Neither does the end wait."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if accepts:
            silent.listen()
        begun = time.monotonic()
        with announcing(MqttSettings(f"127.0.0.1:{silent.getsockname()[1]}")) as announcer:
            for _ in range(1000):
                announcer.announce(view_of())
            time.sleep(0.2)
    assert time.monotonic() - begun < KEEP_ALIVE_SECONDS  # before which nobody gives a broker up


@pytest.mark.slow
def test_user_and_password_let_the_table_in_and_are_logged_nowhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor are they among the settings that a bug report holds."""
    with running(tmp_path, SECRET) as broker, caplog.at_level(logging.DEBUG):
        settings = MqttSettings(broker.address, "table", SECRET)
        with announcing(replace(settings, password="wrong")):  # noqa: S106 -- it is
            until(lambda: "Not authorized" in caplog.text)
        with (
            announcing(settings) as announcer,
            broker.listener(username="table", password=SECRET) as received,
        ):
            announcer.announce(NO_GAME)
            until(lambda: received.get("tablescore/status") == "online")
    told = f"{caplog.text} {settings!r} {settings_without_secrets(Settings(mqtt=settings))}"
    assert SECRET not in told


@pytest.mark.parametrize("recipe", ["esphome-score.yaml", "esphome-lamps.yaml"])
def test_a_recipe_for_esphome_reads_what_is_published(recipe: str) -> None:
    """Each topic, member and lamp in it is one of the table's; ESPHome itself is asked by hand."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
        """Knows the marks of ESPHome's own."""

    Loader.add_constructor("!secret", lambda _loader, node: node.value)
    text = (ROOT / "docs" / "recipes" / recipe).read_text(encoding="utf-8")
    (heard,) = yaml.load(text, Loader)["mqtt"]["on_json_message"]  # noqa: S506 -- it is a safe one
    published = documents(view_of())[heard["topic"].removeprefix("tablescore/")]
    code = heard["then"][0]["lambda"]
    assert set(re.findall(r'x\["(\w+)"\]', code)) <= published.keys()
    assert set(re.findall(r'lamp == "(\w+)"', code)) in ({each.value for each in WAITS}, set())
    for member in re.findall(r'player\["(\w+)"\]', code):
        assert member in published["players"][0]


@contextmanager
def pressed(
    broker: Broker, settings: MqttSettings, monotonic: Callable[[], float]
) -> Iterator[list[Action]]:
    """The presses by radio that reach a table."""
    presses: list[Action] = []
    with announcing(settings, tuple, monotonic) as announcer:
        announcer.listen(presses.append)
        until(broker.listens_for_presses)
        yield presses


@pytest.mark.slow
def test_a_press_by_radio_is_one_press(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    """A repeat within a pin's time counts once.

    What the broker retained is none: it would come again at each connection. Neither is anything
    but the three words, of which the log has one line.
    """
    clock = iter([0.0, 0.01, 0.06, 0.07, 1.0])
    broker.send("UNDO", retain=True)
    settings = MqttSettings(broker.address, press=PRESS)
    with caplog.at_level(logging.DEBUG), pressed(broker, settings, clock.__next__) as presses:
        for payload in ("KEEP", "keep", "Keep", "single", "", b"KEEP" * 10_000_000, b"\xff\n"):
            broker.send(payload)
        broker.send("REROLL")
        broker.send("UNDO")
        until(lambda: Action.UNDO in presses)
        assert presses == [Action.KEEP, Action.KEEP, Action.REROLL, Action.UNDO]
    assert len([line for line in caplog.messages if "ignored" in line]) == 1
    told = f"{caplog.text} {settings!r} {settings_without_secrets(Settings(mqtt=settings))}"
    assert PRESS not in told


@pytest.mark.slow
def test_a_press_while_the_table_was_away_is_lost(broker: Broker) -> None:
    """It meant what was shown then."""
    settings = MqttSettings(broker.address, press=PRESS)
    with pressed(broker, settings, time.monotonic):
        pass
    broker.send("KEEP")
    known = len(broker.subscribed)
    with pressed(broker, settings, time.monotonic) as presses:
        until(lambda: len(broker.subscribed) > known)
        broker.send("UNDO")
        until(lambda: presses)
        assert presses == [Action.UNDO]


@pytest.mark.slow
def test_a_broker_s_rights_say_who_presses(tmp_path: Path) -> None:
    """With those that the recipe prints, a display that knows the secret presses nothing."""
    page = (ROOT / "docs" / "recipes" / "radio.md").read_text(encoding="utf-8")
    rights = next(block for block in page.split("```") if block.startswith("\nuser tablescore"))
    with running(tmp_path, SECRET, rights) as broker:
        settings = MqttSettings(broker.address, "tablescore", SECRET, press=PRESS)
        with pressed(broker, settings, time.monotonic) as presses:
            broker.send("KEEP", "display")
            broker.send("UNDO", "remote")
            until(lambda: presses)
            assert presses == [Action.UNDO]


@pytest.mark.slow
def test_a_press_by_radio_means_what_was_shown(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    """As a button's does: a reading that came less than 300 ms before is not kept unseen."""
    table, answers = Table().opened(), list[Answer]()
    settings, steady = MqttSettings(broker.address, press=PRESS), lambda: table.clock().timestamp()
    with caplog.at_level(logging.INFO), announcing(settings, tuple, steady) as announcer:
        announcer.listen(
            lambda action: answers.append(table.send(Pressed(action, table.clock(), radio=True)))
        )
        until(broker.listens_for_presses)
        table.send(Proposed(reading("33516")))
        table.clock.advance(0.2)
        broker.send("KEEP")
        until(lambda: answers)
        assert (answers, table.view.notice) == ([TOO_EARLY], TOO_EARLY.notice)
        assert table.rolls_made == 0
        table.clock.advance(0.2)
        broker.send("KEEP")
        until(lambda: len(answers) == 2)
        assert table.rolls_made == 1
    assert "press KEEP (radio), game game-1: done" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("press", ["", PRESS])
def test_only_a_table_whose_settings_name_a_secret_listens(
    broker: Broker, tmp_path: Path, caplog: pytest.LogCaptureFixture, press: str
) -> None:
    """A whole table: the broker's own log says what it was asked for."""
    settings = Settings(
        camera=CameraSettings("upload"),
        table=TableSettings(f"sqlite:///{tmp_path}/games.sqlite3"),
        mqtt=MqttSettings(broker.address, press=press),
    )
    with caplog.at_level(logging.INFO), broker.listener() as received:
        table = RunningTable(Plan.of(settings), 0, Pins(None, "no pins in this test"))
        try:
            until(lambda: "tablescore/table" in received)
            if press:
                until(broker.listens_for_presses)
            broker.send("KEEP")
            if press:
                until(lambda: "press KEEP (radio)" in caplog.text)
        finally:
            table.close()
        until(lambda: received["tablescore/status"] == "offline")
    assert broker.listens_for_presses() == bool(press)
    assert ("press KEEP" in caplog.text) == bool(press)


@pytest.mark.slow
def test_only_a_table_whose_settings_name_a_broker_announces_there(
    broker: Broker, tmp_path: Path
) -> None:
    """A whole table: its first view is there as soon as it stands, and it ends by saying so."""
    for named in ("", broker.address):
        settings = Settings(
            camera=CameraSettings("upload"),
            table=TableSettings(f"sqlite:///{tmp_path}/games.sqlite3"),
            mqtt=MqttSettings(named),
        )
        table = RunningTable(Plan.of(settings), 0, Pins(None, "no pins in this test"))
        with broker.listener() as received:
            if named:
                until(lambda: received.get("tablescore/status") == "online")
                until(lambda: "tablescore/table" in received)
                assert received["tablescore/table"]["stage"] == "no game"
            table.close()
            if named:
                until(lambda: received["tablescore/status"] == "offline")
            else:
                time.sleep(0.2)
                assert received == {}
