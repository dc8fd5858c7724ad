"""The table on an MQTT broker, for light strips, displays and smart homes.

Its topics are retained (docs/reference/mqtt.md), as is what Home Assistant needs to find them.
Nothing is sent unless the settings name a broker, and nothing heard unless they name a secret. The
table never waits for it: what changed since it was last sent is queued, and paho's own thread sends
it, and receives presses.
"""

from __future__ import annotations

import json
import logging
import re
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from threading import Lock
from typing import Any, Final

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from hardware.buttons import Contact, Edge
from hardware.lamps import BUTTONS, Lamp, lit
from scoreboard.table.requests import Action
from scoreboard.table.view import TableView
from web.shared.settings import MqttSettings
from web.table.scoreboard_strip import player_tiles

KEEP_ALIVE_SECONDS: Final = 20
LONGEST_PRESS: Final = 20  # bytes
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
PRESSES: Final = {
    Action.KEEP: ("Keep", "mdi:check"),
    Action.REROLL: ("Reroll", "mdi:dice-multiple-outline"),
    Action.UNDO: ("Undo", "mdi:undo"),
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
    """An Announcer that publishes each view; all that a broker can do to the table is to press.

        mqtt = MqttAnnouncer(settings, addresses)
        mqtt.start()
        mqtt.listen(press)  # press(Action.KEEP) is called for each press by radio
        mqtt.announce(view)
        mqtt.stop()

    `addresses` gives those of the page for other devices, asked for at each connection.
    """

    def __init__(
        self,
        settings: MqttSettings,
        addresses: Callable[[], Sequence[str]] = tuple,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._addresses = addresses
        self._monotonic = monotonic
        self._device: dict[str, Any] = {}
        self._pressed: Callable[[Action], object] = lambda _action: None
        self._contacts = dict.fromkeys(Action, Contact(settle_seconds=0))
        self._ignored = False
        self._view: TableView | None = None
        self._sent: dict[str, str] = {}
        self._sending = Lock()  # so that the newest view is sent last
        self._fault = ""
        self._client = client = Client(CallbackAPIVersion.VERSION2)
        client.on_connect = self._connected
        client.on_disconnect = lambda _client, _data, _flags, why, _more: self._note(str(why))
        client.on_connect_fail = lambda _client, _data: self._note("it cannot be reached")
        client.on_message = self._received
        client.on_subscribe = self._subscribed
        client.will_set(self._topic("status"), "offline", retain=True)
        client.reconnect_delay_set(1, LONGEST_PAUSE_SECONDS)
        if settings.user:
            client.username_pw_set(settings.user, settings.password)
        if settings.tls:
            client.tls_set()

    def start(self) -> None:
        """Connect, now or as soon as there is a broker, and send what is announced."""
        self._device = self._described()
        host, port = self._settings.address
        self._client.connect_async(host, port, KEEP_ALIVE_SECONDS)
        self._client.loop_start()

    def stop(self) -> None:
        """Report that the table is gone; a slow broker learns it from the silence."""
        with suppress(RuntimeError):  # there is no connection
            gone = self._client.publish(self._topic("status"), "offline", retain=True)
            gone.wait_for_publish(LAST_SECONDS)
        self._client.disconnect()  # paho's thread then ends, perhaps in a slow connect

    def listen(self, pressed: Callable[[Action], object]) -> None:
        """Report presses by radio from now on; `pressed` must never wait."""
        self._pressed = pressed

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
        self._device = self._described()
        with self._sending:
            self._sent = {}  # the broker may be a new one, and what was under way is lost
        if self._settings.press:  # QoS 0 and a clean session: a broker keeps no press for later
            self._client.subscribe(self._topic(f"press/{self._settings.press}"))
        self._send()

    def _subscribed(self, _client: Any, _data: Any, _id: Any, codes: Any, _more: Any) -> None:
        if any(code.is_failure for code in codes):
            broker = self._settings.broker
            LOG.warning("%s lets nobody press: give its user the right to read press/#", broker)

    def _received(self, _client: Any, _data: Any, sent: Any) -> None:
        if sent.retain:  # it is sent again at each connection, long after somebody pressed
            return
        known = {action.name.encode(): action for action in Action}
        action = known.get(sent.payload.upper()) if len(sent.payload) <= LONGEST_PRESS else None
        if action is not None:
            now = self._monotonic()
            down, _ = self._contacts[action].after(Edge(closed=True, at=now))
            self._contacts[action], press = down.after(Edge(closed=False, at=now))
            if press is not None:
                self._pressed(action)
        elif not self._ignored:
            self._ignored = True
            given = sent.payload[:LONGEST_PRESS]
            LOG.warning("a press by radio is KEEP, REROLL or UNDO, not %r: ignored", given)

    def _note(self, fault: str) -> None:
        if fault not in {self._fault, "Normal disconnection"}:
            self._fault = fault
            LOG.warning("no connection with the broker %s: %s", self._settings.broker, fault)

    def _send(self) -> None:
        """Queue what the broker does not know yet; never waits."""
        with self._sending:
            if self._view is None or not self._client.is_connected():
                return
            found = self._discovery().items()
            wanted = {topic: json.dumps(each) if each else "" for topic, each in found}
            wanted[self._topic("status")] = "online"
            for name, document in documents(self._view).items():
                wanted[self._topic(name)] = json.dumps(document, ensure_ascii=False)
            for topic, payload in wanted.items():
                if self._sent.get(topic) != payload:
                    self._client.publish(topic, payload, retain=True)
            self._sent = wanted

    def _described(self) -> dict[str, Any]:
        """This table as a device of Home Assistant, with its page's address where it has one."""
        host, addresses = socket.gethostname(), self._addresses()
        device = {
            "identifiers": [re.sub(r"[^A-Za-z0-9_-]+", "_", f"{self._settings.topic}_{host}")],
            "name": self._settings.name or f"Tablescore {host}",
            "sw_version": version("tablescore"),
        }
        return device | ({"configuration_url": addresses[0]} if addresses else {})

    def _discovery(self) -> dict[str, dict[str, Any]]:
        """Each topic of Home Assistant's with its entity; an empty one is deleted there."""
        if not self._settings.discovery:
            return {}
        node = self._device["identifiers"][0]
        entities: dict[tuple[str, str], dict[str, Any]] = {
            ("sensor", key): {
                "name": name,
                "state_topic": self._topic(topic),
                "value_template": template,
                "icon": icon,
            }
            for key, (name, topic, template, icon) in SENSORS.items()
        }
        entities["binary_sensor", "camera_lost"] = {
            "name": "Camera lost",
            "state_topic": self._topic("table"),
            "value_template": "{{ 'ON' if value_json.camera == 'lost' else 'OFF' }}",
            "device_class": "problem",
            "entity_category": "diagnostic",
        }
        for action, (name, icon) in PRESSES.items():
            entities["button", action.value] = {
                "name": name,
                "command_topic": self._topic(f"press/{self._settings.press}"),
                "payload_press": action.name,
                "icon": icon,
            }
        shared = {
            "availability_topic": self._topic("status"),
            "device": self._device,
            "origin": {"name": "Tablescore", "sw_version": self._device["sw_version"]},
        }
        return {
            f"{self._settings.discovery}/{kind}/{node}/{key}/config": (
                {"unique_id": f"{node}_{key}"} | entity | shared
                if kind != "button" or self._settings.press
                else {}  # what an earlier setting left at the broker would give the secret away
            )
            for (kind, key), entity in entities.items()
        }
