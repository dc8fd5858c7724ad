"""The table on an MQTT broker, for light strips, displays and smart homes.

Its topics are retained (docs/reference/mqtt.md), as is what Home Assistant needs to find them.
Nothing is sent unless the settings name a broker. The table never waits for it: its thread leaves
the newest view here, and another one sends what changed since it was last sent.
"""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import Any, Final

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

import web
from hardware.lamps import Lamp, lit
from scoreboard.table.view import TableView
from web.settings import MqttSettings
from web.table.scoreboard_strip import player_tiles

KEEP_ALIVE_SECONDS: Final = 20
LONGEST_PAUSE_SECONDS: Final = 30  # between two tries to reach the broker
SEND_SECONDS: Final = 5.0
# What Home Assistant shows: the name, the topic, the value in it, and an icon.
SENSORS: Final = {
    "player": ("Whose turn", "table", "{{ value_json.player or 'nobody' }}", "mdi:account"),
    "stage": ("Stage", "table", "{{ value_json.stage }}", "mdi:dice-multiple"),
    "last_score": ("Last score", "table", "{{ value_json.last_score or '' }}", "mdi:counter"),
    "leaders": ("Leader", "scores", "{{ value_json.leaders | join(', ') }}", "mdi:crown"),
    "lamp": ("Lamp", "table", "{{ value_json.lamp or 'none' }}", "mdi:lightbulb"),
}
WAITS: Final = (Lamp.READY, Lamp.READING, Lamp.CONFIRM, Lamp.HURRY)
BUTTONS: Final = {
    "keep": Lamp.KEEP_BUTTON,
    "reroll": Lamp.REROLL_BUTTON,
    "undo": Lamp.UNDO_BUTTON,
}
LOG: Final = logging.getLogger(__name__)


def documents(view: TableView) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is published of a view: each topic with its document."""
    turn, shining = view.turn, lit(view)
    yield (
        "table",
        {
            "stage": view.stage,
            "game": view.game,
            "player": view.player,
            "camera": view.status.value,
            "read": [die.face for die in view.proposal.dice] if view.proposal else None,
            "roll": list(turn.roll.faces) if turn and turn.roll else None,
            "rolls_made": turn.rolls_made if turn else 0,
            "last_score": None if view.last_score is None else str(view.last_score),
            "lamp": next((lamp.value for lamp in WAITS if lamp in shining), None),
            "paused": view.paused is not None,
        },
    )
    tiles = player_tiles(view.scoresheet)
    yield (
        "scores",
        {
            "players": [{"name": each.name, "total": each.total} for each in tiles],
            "leaders": [each.name for each in tiles if each.behind == 0],
        },
    )
    yield "buttons", {button: lamp in shining for button, lamp in BUTTONS.items()}


class MqttAnnouncer:
    """An Announcer that publishes each view; nothing that a broker does reaches the table."""

    def __init__(self, settings: MqttSettings) -> None:
        self._settings = settings
        self._view: TableView | None = None
        self._sent: dict[str, str] = {}
        self._changed = Event()
        self._stopping = False
        self._fault = ""
        self._thread = Thread(target=self._work, name="mqtt", daemon=True)
        self._client = client = Client(CallbackAPIVersion.VERSION2)
        client.on_connect = self._connected
        client.on_disconnect = lambda _client, _data, _flags, why, _more: self._note(str(why))
        client.on_connect_fail = lambda _client, _data: self._note("it cannot be reached")
        client.will_set(self._topic("status"), "offline", retain=True)
        client.reconnect_delay_set(1, LONGEST_PAUSE_SECONDS)
        if settings.user:
            client.username_pw_set(settings.user, settings.password)
        if settings.tls:
            client.tls_set()

    def start(self) -> None:
        """Connect, now or as soon as there is a broker, and send what is announced."""
        host, port = self._settings.address
        self._client.connect_async(host, port, KEEP_ALIVE_SECONDS)
        self._client.loop_start()
        self._thread.start()

    def stop(self) -> None:
        """Say that the table is gone; a broker that is slow learns it from the silence."""
        self._stopping = True
        self._changed.set()
        self._thread.join(SEND_SECONDS / 10)
        self._client.disconnect()  # its own thread ends by itself, perhaps in a slow connect

    def announce(self, view: TableView) -> None:
        """Take the newest view."""
        self._view = view
        self._changed.set()

    def _topic(self, name: str) -> str:
        return f"{self._settings.topic}/{name}"

    def _connected(self, _client: Any, _data: Any, _flags: Any, why: Any, _more: Any) -> None:
        if why.is_failure:
            self._note(str(why))
            return
        LOG.info("connected with the broker %s", self._settings.broker)
        self._fault = ""
        self._sent.clear()  # the broker may be a new one, and what was under way is lost
        self._changed.set()

    def _note(self, fault: str) -> None:
        if fault not in {self._fault, "Normal disconnection"} and not self._stopping:
            self._fault = fault
            LOG.warning("no connection with the broker %s: %s", self._settings.broker, fault)

    def _work(self) -> None:
        while not self._stopping:
            self._changed.wait()
            self._changed.clear()
            view = self._view
            if view is None or not self._client.is_connected():
                continue
            for topic, document in self._discovery():
                self._send(topic, json.dumps(document))
            self._send(self._topic("status"), "online")
            for name, document in documents(view):
                self._send(self._topic(name), json.dumps(document, ensure_ascii=False))
        self._send(self._topic("status"), "offline")

    def _send(self, topic: str, payload: str) -> None:
        """Publish what the broker does not know yet, and wait until it is on its way."""
        if self._sent.get(topic) == payload:
            return
        self._sent[topic] = payload
        with suppress(RuntimeError):  # the connection has gone: all is sent with the next one
            self._client.publish(topic, payload, retain=True).wait_for_publish(SEND_SECONDS)

    def _discovery(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What Home Assistant needs to find each sensor by itself."""
        if not self._settings.discovery:
            return
        table = f"{self._settings.topic}_{socket.gethostname()}"
        node = re.sub(r"[^A-Za-z0-9_-]+", "_", table)
        device = {"identifiers": [node], "name": "Tablescore", "sw_version": web.__version__}
        for key, (name, topic, template, icon) in SENSORS.items():
            yield (
                f"{self._settings.discovery}/sensor/{node}/{key}/config",
                {
                    "name": name,
                    "unique_id": f"{node}_{key}",
                    "state_topic": self._topic(topic),
                    "value_template": template,
                    "availability_topic": self._topic("status"),
                    "icon": icon,
                    "device": device,
                },
            )
