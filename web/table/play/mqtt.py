"""The table on an MQTT broker, for light strips, displays, smart homes and buttons by radio.

Its topics are retained (docs/reference/mqtt.md), as is what Home Assistant needs to find them.
Nothing is sent unless the settings name a broker. The table never waits for it: what changed since
it was last sent is queued, and paho's own thread sends it. Nothing is taken unless they name the
secret end of the topic for presses; each of those is a button's that is let go at once.
"""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from threading import Lock
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from hardware.keys import KeyContact
from hardware.lamps import BUTTONS, Lamp, lit
from scoreboard.table.requests import Action
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
CAMERA_LOST: Final = "{{ 'ON' if value_json.camera == 'lost' else 'OFF' }}"
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
    """An Announcer that publishes each view; of what a broker sends only presses reach the table.

    `addresses` are the table's own, best first: for the link that a smart home shows. Presses come
    by the `contacts` that `hardware.buttons.Buttons` takes, as a keypad's do::

        mqtt = MqttAnnouncer(settings.mqtt, addresses)
        buttons = Buttons(mqtt.contacts(), inbox_press, clock=utc_now, settle_seconds=0)
        buttons.start()
        mqtt.start()
    """

    def __init__(
        self, settings: MqttSettings, addresses: Callable[[], Sequence[str]] = tuple
    ) -> None:
        self._settings = settings
        self._addresses = addresses
        self._page = ""
        self._contacts = {action.name: KeyContact() for action in Action}
        self._view: TableView | None = None
        self._sent: dict[str, str] = {}
        self._sending = Lock()  # so that the newest view is sent last
        self._fault = ""
        self._client = client = Client(CallbackAPIVersion.VERSION2)
        client.on_connect = self._connected
        client.on_disconnect = lambda _client, _data, _flags, why, _more: self._note(str(why))
        client.on_message = lambda _client, _data, sent: self._take(sent)
        client.on_connect_fail = lambda _client, _data: self._note("it cannot be reached")
        client.will_set(self._topic("status"), "offline", retain=True)
        client.reconnect_delay_set(1, LONGEST_PAUSE_SECONDS)
        if settings.user:
            client.username_pw_set(settings.user, settings.password)
        if settings.tls:
            client.tls_set()

    def contacts(self) -> dict[Action, Callable[[], KeyContact]]:
        """Functions that open the contact of each button; none of them bounces."""
        return {action: partial(self._contacts.__getitem__, action.name) for action in Action}

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
        self._page = next(iter(self._addresses()), "")
        if self._settings.press:  # what was sent while nobody listened is not kept for us
            self._client.subscribe(self._press_topic, qos=0)
        with self._sending:
            self._sent = {}  # the broker may be a new one, and what was under way is lost
        self._send()

    def _take(self, sent: MQTTMessage) -> None:
        """Press the button that a message names; one that was retained is of long ago."""
        named = sent.payload.strip().upper().decode("ascii", "replace")
        contact = self._contacts.get(named)
        if contact is None or sent.retain:
            why = "no button" if contact is None else "retained: publish presses without that flag"
            LOG.warning("a press by radio was left out: %s", why)
            return
        LOG.info("%s by radio", named)
        contact.change(0, down=True)
        contact.change(0, down=False)

    @property
    def _press_topic(self) -> str:
        return self._topic(f"press/{self._settings.press}")

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
        host, topic, now = socket.gethostname(), self._settings.topic, version("tablescore")
        node = re.sub(r"[^A-Za-z0-9_-]+", "_", f"{topic}_{host}")
        called = host if topic == MqttSettings().topic else topic
        device = {"identifiers": [node], "name": f"Tablescore {called}", "sw_version": now}
        if self._page:
            device["configuration_url"] = self._page
        found = {
            ("sensor", key): {
                "name": name,
                "state_topic": self._topic(source),
                "value_template": template,
                "icon": icon,
            }
            for key, (name, source, template, icon) in SENSORS.items()
        }
        found["binary_sensor", "camera"] = {
            "name": "Camera lost",
            "state_topic": self._topic("table"),
            "value_template": CAMERA_LOST,
            "device_class": "problem",
        }
        for action in Action if self._settings.press else ():
            found["button", action.value] = {
                "name": action.value.capitalize(),
                "command_topic": self._press_topic,
                "payload_press": action.name,
                "icon": "mdi:gesture-tap-button",
            }
        shared = {
            "availability_topic": self._topic("status"),
            "device": device,
            "origin": {"name": "Tablescore", "sw_version": now},
        }
        return {
            f"{self._settings.discovery}/{kind}/{node}/{key}/config": {
                **each,
                "unique_id": f"{node}_{key}",
                **shared,
            }
            for (kind, key), each in found.items()
        }
