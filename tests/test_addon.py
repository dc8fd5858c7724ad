"""The Home Assistant add-on, held to what the Supervisor and the add-on linter take.

Neither can be installed as a package, so the table below has their rules of 2026 for the keys that
are used. No Home Assistant runs where the tests do.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any, Final

import click
import pytest
import yaml
from PIL import Image

from tests.web.supervisor import SUPERVISOR
from web.__main__ import tablescore
from web.shared.words import LANGUAGES

ROOT = Path(__file__).parent.parent
ADDON = ROOT / "addon"
CONFIG: dict[str, Any] = yaml.safe_load((ADDON / "config.yaml").read_text(encoding="utf-8"))
REQUIRED = {"name", "version", "slug", "description", "arch"}
# Of each key: what its value is written as in JSON, and the default, which the linter has left out
RULES: Final[dict[str, tuple[str, object]]] = {
    "name": (r'".+"', None),
    "version": (r'"\d+\.\d+\.\d+"', None),
    "slug": (r'"[-_.A-Za-z0-9]+"', None),
    "description": (r'".+"', None),
    "arch": (r'\[("(aarch64|amd64)"(, )?)+\]', None),
    "backup": (r'"(hot|cold)"', "hot"),
    "host_network": ("true|false", False),
    "ingress": ("true|false", False),
    "ingress_port": (r"\d{1,5}", 8099),
    "ingress_stream": ("true|false", False),
    "panel_icon": (r'"mdi:[a-z0-9-]+"', "mdi:puzzle"),
    "panel_admin": ("true|false", True),
    "video": ("true|false", False),
    "map": (r'\[\{"type": "(addon_config|share|media|ssl)"(, "read_only": false)?\}\]', None),
    "environment": (r'\{("\w+": "[^"]*"(, )?)*\}', None),
    "options": (r"\{.*\}", {}),
    "schema": (r"\{.*\}", {}),
}
ELEMENT: Final = re.compile(r"(?:bool|port|str|int|match\((?P<match>.*)\)|list\((?P<list>.+)\))\??")
RUN: Final = tablescore.get_command(tablescore.make_context("tablescore", ["games"]), "run")


def test_it_is_what_home_assistant_takes() -> None:
    """Every key is known, has a value of its kind, and says more than the default."""
    assert CONFIG.keys() >= REQUIRED
    for key, value in CONFIG.items():
        written, default = RULES[key]
        assert re.fullmatch(written, json.dumps(value)), (key, value)
        assert value != default, key
    # the image's own check takes the place of `watchdog`, ingress that of `webui`
    assert not CONFIG.keys() & {"watchdog", "webui", "image", "full_access"}


def test_it_is_this_version_at_the_port_of_the_image() -> None:
    """Home Assistant offers an update when the version changes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert CONFIG["version"] == project["version"]
    assert f"EXPOSE {CONFIG['ingress_port']}\n" in (ROOT / "Dockerfile").read_text("utf-8")
    assert CONFIG["environment"]["TABLESCORE_INGRESS"] == SUPERVISOR


def taken(options: dict[str, object], file: Path) -> dict[str, Any]:
    """What `tablescore run` takes of an options.json."""
    file.write_text(json.dumps(options), encoding="utf-8")
    assert RUN is not None
    return RUN.make_context("run", ["--options", str(file)]).params


def test_each_option_is_one_of_run(tmp_path: Path) -> None:
    """By the name of its parameter; its default is one that Home Assistant accepts."""
    assert RUN is not None
    assert CONFIG["schema"].keys() <= {each.name for each in RUN.params}
    assert CONFIG["options"].keys() <= CONFIG["schema"].keys()
    kinds = {name: ELEMENT.fullmatch(kind) for name, kind in CONFIG["schema"].items()}
    for name, value in CONFIG["options"].items():
        assert (kind := kinds[name]) is not None
        assert re.match(kind["match"], value), name
    params = taken({"camera": "webcam:0", "settings_file": "/config/s.toml"}, tmp_path / "o.json")
    assert params["camera"] == "webcam:0"
    assert params["settings_file"] == Path("/config/s.toml")
    assert taken({"camera": "", "settings_file": None}, tmp_path / "o.json")["camera"] is None


@pytest.mark.parametrize("content", ["", "[1]", "{"])
def test_options_that_are_none_are_refused(tmp_path: Path, content: str) -> None:
    """In a sentence that names the file."""
    (tmp_path / "o.json").write_text(content, encoding="utf-8")
    assert RUN is not None
    with pytest.raises(click.BadParameter, match="is no JSON object"):
        RUN.make_context("run", ["--options", str(tmp_path / "o.json")])


@pytest.mark.parametrize("kept", ["webcam:0", "phone", "upload", "stream:rtsp://cam/1", ""])
def test_cameras_that_home_assistant_lets_through(kept: str) -> None:
    """As the option's help names them, and none, for the one chosen on the page."""
    kind = ELEMENT.fullmatch(CONFIG["schema"]["camera"])
    assert kind is not None
    assert re.match(kind["match"], kept)
    assert not re.match(kind["match"], f"{kept} !" if kept else "picamera")


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_options_have_names_in_every_language(language: str) -> None:
    """With a sentence each, and nothing of what is no option."""
    file = ADDON / "translations" / f"{language}.yaml"
    said = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert said.keys() == {"configuration"}
    assert said["configuration"].keys() == CONFIG["schema"].keys()
    assert all(each.keys() == {"name", "description"} for each in said["configuration"].values())


def test_it_looks_like_tablescore() -> None:
    """A square icon, and a logo, in the sizes that are asked for."""
    for name, size in (("icon", (128, 128)), ("logo", (250, 100))):
        with Image.open(ADDON / f"{name}.png") as picture:
            assert picture.size == size


def test_make_addon_puts_the_image_s_parts_beside_it(tmp_path: Path) -> None:
    """All that the Dockerfile copies; and one config.yaml, or Home Assistant sees two add-ons."""
    subprocess.run(
        ["make", "-s", "-C", str(ROOT), "addon", f"ADDON={tmp_path / 'addon'}"],  # noqa: S607
        check=True,
    )
    made = tmp_path / "addon" / "tablescore"
    assert yaml.safe_load((made.parent / "repository.yaml").read_text("utf-8"))["name"]
    kinds = (".yaml", ".yml", ".json")
    configs = [each for each in made.parent.rglob("config.*") if each.suffix in kinds]
    assert configs == [made / "config.yaml"]
    text = (made / "Dockerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE)
    assert all((made / each).exists() for line in copied for each in line.split())
    arguments = yaml.safe_load((made / "build.yaml").read_text(encoding="utf-8"))["args"]
    assert all(f"\nARG {name}=" in text for name in arguments)
