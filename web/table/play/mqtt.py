"""The table on an MQTT broker, for light strips, displays and smart homes.

Its topics are retained (docs/reference/mqtt.md), as is what Home Assistant needs to find them.
Nothing is sent unless the settings name a broker. The table never waits for it: what changed since
it was last sent is queued, and paho's own thread sends it.
"""

from __future__ import annotations

import json
import logging
import re
import socket
from contextlib import suppress
from importlib.metadata import version
from threading import Lock
from typing import Any, Final

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from hardware.lamps import BUTTONS, Lamp, lit
from scoreboard.table.view import TableView
from web.shared.settings import MqttSettings
from web.table.scoreboard_strip import player_tiles

KEEP_ALIVE_SECONDS: Final = 20
LONGEST_PAUSE_SECONDS: Final = 30  # between two tries to reach the broker
LAST_SECONDS: Final = 0.5  # for saying that the table is gone
# What Home Assistant shows: the name, the topic, the value in it, and an icon.
SENSORS: Final = {
    "player": ("Whose turn", "table", "{{ value_json.player or 'nobody' }}", "mdi:account"),
    "stage": ("Stage", "table", "{{ value_json.stage }}", "mdi:dice-multiple"),
    "last_score": ("Last score", "table", "{{ value_json.last_score or '' }}", "mdi:counter"),
    "leaders": ("Leader", "scores", "{{ value_json.leaders | join(', ') }}", "mdi:crown"),
    "lamp": ("Lamp", "table", "{{ value_json.lamp or 'none' }}", "mdi:lightbulb"),
}
WAITS: Final = (Lamp.READY, Lamp.READING, Lamp.CONFIRM, Lamp.HURRY)
LOG: Final = logging.getLogger(__name__)


def documents(view: TableView) -> dict[str, dict[str, Any]]:
    """What is published of a view: each topic with its document."""
    turn, shining = view.turn, lit(view)
    tiles = player_tiles(view.scoresheet)
    return {
        "table": {
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
        "scores": {
            "players": [{"name": each.name, "total": each.total} for each in tiles],
            "leaders": [each.name for each in tiles if each.behind == 0],
        },
        "buttons": {button: lamp in shining for button, lamp in BUTTONS.items()},
    }


class MqttAnnouncer:
    """An Announcer that publishes each view; nothing that a broker does reaches the table."""

    def __init__(self, settings: MqttSettings) -> None:
        self._settings = settings
        self._view: TableView | None = None
        self._sent: dict[str, str] = {}
        self._sending = Lock()  # so that the newest view is sent last
        self._fault = ""
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

    def stop(self) -> None:
        """Report that the table is gone; a slow broker learns it from the silence."""
        with suppress(RuntimeError):  # there is no connection
            gone = self._client.publish(self._topic("status"), "offline", retain=True)
            gone.wait_for_publish(LAST_SECONDS)
        self._client.disconnect()  # paho's thread then ends, perhaps in a slow connect

    def announce(self, view: TableView) -> None:
        self._view = view
        self._send()

    def _topic(self, name: str) -> str:
        return f"{self._settings.topic}/{name}"

    def _connected(self, _client: Any, _data: Any, _flags: Any, why: Any, _more: Any) -> None:
        if why.is_failure:
            self._note(str(why))
            return
        LOG.info("connected with the broker %s", self._settings.broker)
        self._fault = ""
        with self._sending:
            self._sent = {}  # the broker may be a new one, and what was under way is lost
        self._send()

    def _note(self, fault: str) -> None:
        if fault not in {self._fault, "Normal disconnection"}:
            self._fault = fault
            LOG.warning("no connection with the broker %s: %s", self._settings.broker, fault)

    def _send(self) -> None:
        """Queue what the broker does not know yet; never waits."""
        with self._sending:
            if self._view is None or not self._client.is_connected():
                return
            wanted = {topic: json.dumps(each) for topic, each in self._discovery().items()}
            wanted[self._topic("status")] = "online"
            for name, document in documents(self._view).items():
                wanted[self._topic(name)] = json.dumps(document, ensure_ascii=False)
            for topic, payload in wanted.items():
                if self._sent.get(topic) != payload:
                    self._client.publish(topic, payload, retain=True)
            self._sent = wanted

    def _discovery(self) -> dict[str, dict[str, Any]]:
        if not self._settings.discovery:
            return {}
        table = f"{self._settings.topic}_{socket.gethostname()}"
        node = re.sub(r"[^A-Za-z0-9_-]+", "_", table)
        device = {"identifiers": [node], "name": "Tablescore", "sw_version": version("tablescore")}
        return {
            f"{self._settings.discovery}/sensor/{node}/{key}/config": {
                "name": name,
                "unique_id": f"{node}_{key}",
                "state_topic": self._topic(topic),
                "value_template": template,
                "availability_topic": self._topic("status"),
                "icon": icon,
                "device": device,
            }
            for key, (name, topic, template, icon) in SENSORS.items()
        }
