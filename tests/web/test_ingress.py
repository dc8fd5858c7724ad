"""A running table behind Home Assistant: the real server takes what the Supervisor sends."""

from __future__ import annotations

import http.client
import json
import threading
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image

from tests.web.process import running
from tests.web.serving import server_of
from tests.web.supervisor import PREFIX, Ingress


def photo() -> bytes:
    """A photo of more than one chunk and one packet."""
    written = BytesIO()
    Image.effect_noise((1200, 900), 60).convert("RGB").save(written, "JPEG", quality=95)
    return written.getvalue()


def test_forms_photos_and_the_feed_pass_below_the_path(tmp_path: Path) -> None:
    """In chunks without a length, as `ingress_stream` sends them; by an add-on's options."""
    options = tmp_path / "options.json"
    options.write_text(json.dumps({"camera": "upload", "settings_file": ""}), encoding="utf-8")
    given = ("--options", str(options), "--ingress", "127.0.0.1")
    kept = ("--database", f"sqlite:///{tmp_path}/games.sqlite3")
    with running(*given, *kept, environment={"XDG_DATA_HOME": str(tmp_path)}) as table:
        assert table.port
        passing_on = Ingress(table.port)
        server = server_of(passing_on)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        own = f"http://127.0.0.1:{server.server_port}"

        def ask(
            path: str, content: bytes | None = None, kind: str = ""
        ) -> http.client.HTTPResponse:
            asking = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
            headers = {"Origin": own, "Content-Type": kind}
            asking.request("GET" if content is None else "POST", PREFIX + path, content, headers)
            return asking.getresponse()

        form = urlencode([("game", "yahtzee"), ("name", "North"), ("option-start", "first")])
        started = ask("/setup", form.encode(), "application/x-www-form-urlencoded")
        head = '--part\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        sent = ask(
            "/photo",
            head.encode() + photo() + b"\r\n--part--\r\n",
            "multipart/form-data; boundary=part",
        )
        feed = ask("/live")
        assert [each.status for each in (started, sent, feed)] == [303, 303, 200]
        assert started.getheader("Location") == sent.getheader("Location") == f"{PREFIX}/"
        assert feed.read1(20).startswith(b"retry: ")
        server.shutdown()
        server.server_close()
        assert passing_on.stray == []
