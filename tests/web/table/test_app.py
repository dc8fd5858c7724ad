"""The application as a whole: its addresses and what binds its parts."""

from __future__ import annotations

import re
from pathlib import Path

import web.table
from tests.web.table_fake import FakeTable
from web.table.app import create_app

WEB = Path(web.table.__file__).parent


def test_every_address_is_known_by_one_name() -> None:
    """The whole map of the page."""
    rules = create_app(FakeTable().table()).url_map.iter_rules()
    asked = {(rule.rule, *sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})) for rule in rules}
    assert asked == {
        ("/", "GET"),
        ("/live", "GET"),
        ("/picture/<run>/<int:frame>.jpg", "GET"),
        ("/picture/latest.jpg", "GET"),
        ("/press", "POST"),
        ("/choose", "POST"),
        ("/draw", "POST"),
        ("/roll", "POST"),
        ("/die", "POST"),
        ("/piece", "POST"),
        ("/keep", "POST"),
        ("/again", "POST"),
        ("/photo", "POST"),
        ("/setup", "GET"),
        ("/setup", "POST"),
        ("/rematch", "POST"),
        ("/games", "GET"),
        ("/games/<game_id>/resume", "POST"),
        ("/games/<game_id>/delete", "GET"),
        ("/games/<game_id>/delete", "POST"),
        ("/games/<game_id>/game.<form>", "GET"),
        ("/abandon", "GET"),
        ("/abandon", "POST"),
        ("/leave", "GET"),
        ("/leave", "POST"),
        ("/about", "GET"),
        ("/compare", "GET"),
        ("/language", "POST"),
        ("/calibrate", "GET"),
        ("/calibrate", "POST"),
        ("/calibrate/find", "POST"),
        ("/calibrate/forget", "POST"),
        ("/calibrate/fault", "GET"),
        ("/calibrate/<run>/<int:number>.jpg", "GET"),
        ("/calibrate/<run>/<int:number>/preview.jpg", "GET"),
        ("/teach", "GET"),
        ("/teach", "POST"),
        ("/teach/<name>/<any(photos, test):stage>", "GET"),
        ("/teach/<name>/<any(photos, test):stage>", "POST"),
        ("/teach/<name>/<any(photos, test):stage>/accept", "POST"),
        ("/teach/<name>/<any(photos, test):stage>/drop", "POST"),
        ("/teach/<name>/learn", "GET"),
        ("/teach/<name>/learn", "POST"),
        ("/teach/<name>/progress", "GET"),
        ("/teach/<name>/delete", "GET"),
        ("/teach/<name>/delete", "POST"),
        ("/teach/<name>/photo-<int:number>.jpg", "GET"),
        ("/teach/<name>/photo-<int:number>-<int:at>.jpg", "GET"),
        ("/teach/<name>/face-<int:at>.jpg", "GET"),
        ("/static/<path:filename>", "GET"),
    }


def test_two_tables_do_not_share_anything() -> None:
    """There is no global state: each application shows its own table."""
    one, other = FakeTable(), FakeTable()
    apps = [create_app(fake.table()) for fake in (one, other)]
    texts = [app.test_client().get("/").text for app in apps]
    assert one.live.run in texts[0]
    assert one.live.run not in texts[1]


def test_scripts_and_styles_ask_for_nothing_elsewhere() -> None:
    """No request leaves the machine."""
    for path in (WEB / "static").iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|//[a-z]+\.|url\(|@import|import\(", text), path.name


def test_every_class_that_a_template_names_is_styled_or_scripted() -> None:
    """A class that nothing knows is a leftover."""
    known = "".join(path.read_text(encoding="utf-8") for path in (WEB / "static").iterdir())
    for path in (WEB / "templates").glob("*.html"):
        plain = re.sub(r"{%.*?%}|{{.*?}}", " \0", path.read_text(encoding="utf-8"))
        for names in re.findall(r'class="([^"]*)"', plain):
            for name in names.split():
                if "\0" not in name and not name.endswith("-"):
                    assert f".{name}" in known, f"{name} in {path.name}"
