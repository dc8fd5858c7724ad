"""The table on a real broker: what is published, what a broker may do, and what never happens."""

from __future__ import annotations

import json
import logging
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from hardware.pins import Pins
from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceRolled, ScoreCategory
from scoreboard.message import message
from tests.patience import until
from tests.web.process import ROOT
from tests.web.table_fake import NO_GAME, proposal_of, view_of
from web.shared.plan import Plan, settings_without_secrets
from web.shared.settings import CameraSettings, MqttSettings, Settings, TableSettings
from web.table.play.mqtt import KEEP_ALIVE_SECONDS, MqttAnnouncer, documents
from web.wiring import RunningTable

SBIN = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
SECRET = "four plain words"  # noqa: S105 -- of a broker that lives in a test


class Broker:
    """A real mosquitto on a free port of loopback; with a password it lets in nobody else."""

    def __init__(self, folder: Path, password: str = "") -> None:
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
            known.write_text(f"table:{password}\n")
            subprocess.run(["mosquitto_passwd", "-U", str(known)], check=True)  # noqa: S607
            lines += [f"password_file {known}", "user root"]  # else it could not read it as root
        self._settings.write_text("\n".join([*lines, ""]))

    def start(self) -> None:
        """Let it listen; what was retained before is forgotten."""
        self.process = subprocess.Popen(
            [self._program, "-c", str(self._settings)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._listens)

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
def running(folder: Path, password: str = "") -> Iterator[Broker]:
    """A broker that is gone at the end, whatever became of it."""
    broker = Broker(folder, password)
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
def announcing(settings: MqttSettings) -> Iterator[MqttAnnouncer]:
    """A table's announcer, at work."""
    announcer = MqttAnnouncer(settings)
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
        found = {topic: each for topic, each in received.items() if topic.endswith("/config")}
    assert {topic.split("/")[3] for topic in found} == {
        "player",
        "stage",
        "last_score",
        "leaders",
        "lamp",
    }
    assert {topic.split("/")[1] for topic in found} == {"sensor"}
    assert len({str(each["device"]["identifiers"]) for each in found.values()}) == 1
    assert len({each["unique_id"] for each in found.values()}) == len(found)
    for each in found.values():
        assert each["availability_topic"] == "tablescore/status"
        names = each["value_template"].split("value_json.")[1:]
        keys = {name.replace("}", " ").split()[0] for name in names}
        assert keys <= received[each["state_topic"]].keys()


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
