"""The container's files, read as Docker reads them: no Docker runs where the tests do.

What they start is held to the command line: an option that is renamed fails here.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_house import PACKAGES
from web.__main__ import tablescore

ROOT = Path(__file__).parent.parent
INSTRUCTION = re.compile(r"^([A-Z]+) +(.*)$")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
OWN_SERVICES = ("table", "hub")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, each with its continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    joined = re.sub(r"\\\n *", "", "\n".join(lines)).splitlines()
    found = [INSTRUCTION.match(line) for line in joined]
    assert all(found), joined
    return [(each[1], each[2]) for each in found if each]


def of(name: str) -> list[str]:
    """What these instructions say."""
    return [text for each, text in instructions() if each == name]


def parses(command: list[str]) -> None:
    """The command line takes it."""
    words = [re.sub(r"\$\{\w+:-(\w*)\}", r"\1", word) for word in command]
    name, *options = words
    chosen = tablescore.get_command(tablescore.make_context("tablescore", ["games"]), name)
    assert chosen is not None
    chosen.make_context(name, options)  # raises UsageError for what it does not know


def test_the_image_holds_what_the_wheel_holds() -> None:
    """Every package is copied, and let through to the build."""
    copied = {word for text in of("COPY") if "--from" not in text for word in text.split()[:-1]}
    assert {*PACKAGES, "pyproject.toml", "constraints.txt"} <= copied
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line.removeprefix("!") for line in ignored if line.startswith("!")} == copied
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {project["readme"], *project["license-files"]} <= copied
    links = [path for each in PACKAGES for path in (ROOT / each).rglob("*") if path.is_symlink()]
    led_to = {path.resolve().relative_to(ROOT).parts[0] for path in links}
    assert led_to <= copied, "the build would find nothing at the end of a link"


def test_it_runs_as_nobody_special_and_says_how_it_is() -> None:
    """Not as root, with its games in a volume; the health check asks the page."""
    names = [name for name, _ in instructions()]
    user = of("USER")
    assert user == ["${RUN_AS}"]
    assert "RUN_AS=tablescore" in of("ARG"), "only the add-on is built with another"
    assert "RUN" not in names[names.index("USER") :], "what is set up is not the user's to write"
    assert of("VOLUME") == ["/data"]
    (check,) = of("HEALTHCHECK")
    script = json.loads(check.partition("CMD ")[2])[-1]
    compile(script, "healthcheck", "exec")
    assert "http://127.0.0.1:8000/" in script


def test_no_registry_is_named() -> None:
    """Whoever builds it has registries of their own; images have their plain names."""
    for file in ("Dockerfile", "compose.yaml"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not re.search(r"index-url|find-links|https?://(?!127\.0\.0\.1)", text)
    images = [
        *of("FROM"),
        *of("ARG"),
        *(each.get("image", "") for each in COMPOSE["services"].values()),
    ]
    assert not any("/" in image for image in images), images


@pytest.mark.parametrize("service", OWN_SERVICES)
def test_what_compose_starts_is_known(service: str) -> None:
    """As the image's own command is."""
    parses(COMPOSE["services"][service]["command"])
    assert json.loads(of("ENTRYPOINT")[0]) == ["tablescore"]
    parses(json.loads(of("CMD")[0]))


@pytest.mark.parametrize("service", OWN_SERVICES)
def test_each_is_closed_in(service: str) -> None:
    """It writes to its volume and to /tmp, and gains no rights."""
    of_service: dict[str, Any] = COMPOSE["services"][service]
    assert of_service["read_only"]
    assert of_service["cap_drop"] == ["ALL"]
    assert of_service["tmpfs"] == ["/tmp"]  # noqa: S108 -- the container's own
    (volume,) = of_service["volumes"]
    name, place = volume.split(":")
    assert place == "/data"
    assert name in COMPOSE["volumes"]


@pytest.mark.parametrize("service", OWN_SERVICES)
def test_each_is_in_the_time_zone_of_its_people(service: str) -> None:
    """It comes from `.env`; evenings and planned times depend on it."""
    assert COMPOSE["services"][service]["environment"]["TZ"] == "${TZ:-UTC}"


def test_the_hub_waits_for_its_database() -> None:
    """A database that is still starting would end it; nobody outside reaches that."""
    services = COMPOSE["services"]
    assert services["hub"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "healthcheck" in services["database"]
    assert "ports" not in services["database"]
    assert {each["profiles"][0] for each in services.values()} == {"table", "hub"}
