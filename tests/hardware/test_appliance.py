"""The machine that starts by itself: install.sh below a folder of its own, its sources, the units.

Programs that would change this machine are fakes on PATH, which note how they were called.
"""

from __future__ import annotations

import configparser
import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from getpass import getuser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.hardware.machine import (
    APPLIANCE,
    PICTURE,
    PYTHON,
    SCRIPT,
    Machine,
    output_of,
    program,
    version,
)
from web.table.diagnostics import RunningNote

MOST_EXPOSURE = 3.0  # systemd calls up to 4.9 “medium” and up to 2.9 “ok”


def test_the_script_is_clean() -> None:
    """Shellcheck finds nothing in it, nor in what it calls."""
    assert (
        output_of(program("shellcheck"), "--shell=sh", str(SCRIPT), str(APPLIANCE / "slim")) == ""
    )


def test_a_dry_run_prints_everything_and_changes_nothing(machine: Machine) -> None:
    """No program is called that changes something, and each file is shown."""
    machine.fake("dpkg-query", "exit 1")
    before = machine.contents()
    done = machine.run(
        *("--dry-run", "--source", str(version(machine.folder, "one")), "--user", "nosuch"),
        *("--hub", "--kiosk", "/tv", "--hotspot", "Hall", "--backup", "/media/stick/games"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (machine.calls(), machine.contents()) == ([], before)
    for command in (
        r"apt-get install .* python3-venv network-manager dnsmasq-base cage chromium",
        r"useradd --system .* nosuch",
        r"python3 -m venv ",
        r"-m pip install .*--constraint \S+ \S+\[hub\]$",
        r"systemctl enable tablescore-backup.timer",
        r"nmcli connection reload",
    ):
        assert re.search(rf"^\+ .*{command}", done.stdout, re.MULTILINE), command
    for line in (
        "ExecStart=/opt/tablescore/current/bin/tablescore hub --host 0.0.0.0",
        "ssid=Hall",
    ):
        assert f"| {line}\n" in done.stdout


def test_it_is_set_up_once_and_a_second_run_changes_nothing(machine: Machine) -> None:
    """The service is enabled and started; what is there already is left as it is."""
    source = version(machine.folder, "one")
    options = ("--hub", "--camera", "webcam:2", "--backup", "/media/stick/games")
    machine.install(source, *options)
    calls = machine.calls()
    assert "systemctl enable tablescore.service" in calls
    assert "systemctl restart tablescore" in calls
    assert f"tablescore one read {source}/{PICTURE}" in calls
    assert 'source = "webcam:2"' in (machine.root / "var/lib/tablescore/camera.toml").read_text()
    assert (machine.root / "media/stick/games").is_dir()
    before = machine.contents()
    machine.install(source)
    assert (machine.calls(), machine.contents()) == ([], before)
    for name in ("tablescore.service", "tablescore-hub.service", "tablescore-backup.service"):
        assert f"User={getuser()}\n" in machine.unit(name)
        assert "@" not in re.sub(r"#.*|@system-service|getty@tty1", "", machine.unit(name))


def test_a_camera_that_is_named_later_is_taken(machine: Machine) -> None:
    """On a restored card settings are there already; the page's own choice stays else."""
    source, data = version(machine.folder, "one"), machine.root / "var/lib/tablescore"
    data.mkdir(parents=True)
    (data / "settings.toml").write_text("[page]\n")
    machine.install(source)
    assert not (data / "camera.toml").exists()
    machine.calls()
    machine.install(source, "--camera", "upload")
    assert 'source = "upload"' in (data / "camera.toml").read_text()
    assert "systemctl restart tablescore" in machine.calls()


def test_a_folder_of_another_card_is_given_to_the_table(machine: Machine) -> None:
    """It was copied by root, and the service could not write to it."""
    (machine.root / "var/lib/tablescore").mkdir(parents=True)
    machine.fake(
        "find", 'case "$*" in *"! -user"*) echo games ;; *) exec /usr/bin/find "$@" ;; esac'
    )
    machine.install(version(machine.folder, "one"))
    assert f"chown -R {getuser()} {machine.root}/var/lib/tablescore" in machine.calls()


def test_a_copied_folder_is_a_backup_too(machine: Machine) -> None:
    """With its settings and all else; into a folder with games nothing is copied."""
    copied = machine.folder / "copied"
    copied.mkdir()
    (copied / "games.sqlite3").write_text("level 1\n")
    (copied / "settings.toml").write_text("[page]\nport = 8123\n")
    source = version(machine.folder, "one")
    machine.install(source, "--restore", str(copied))
    assert "8123" in (machine.root / "var/lib/tablescore/settings.toml").read_text()
    done = machine.run("--yes", "--source", str(source), "--restore", str(copied))
    assert (done.returncode, "there are games in" in done.stderr) == (1, True)


def test_an_update_writes_only_what_changed(machine: Machine) -> None:
    """The rest is linked; the version before stays as it was, and no path of it is left."""
    machine.install(version(machine.folder, "one"))
    versions = machine.root / "opt/tablescore/versions"
    one = versions / (machine.root / "opt/tablescore/current").readlink().name
    (one / "bin/alembic").write_text(f"#!/opt/tablescore/versions/{one.name}/bin/python\n")
    (one / "lib/large.so").write_text("bytes")
    machine.install(version(machine.folder, "two"))
    two = versions / (machine.root / "opt/tablescore/current").readlink().name
    assert (two / "lib/large.so").samefile(one / "lib/large.so")
    assert one.name not in (two / "bin/alembic").read_text()
    assert one.name in (one / "bin/alembic").read_text()
    assert "tablescore one" in (one / "bin/tablescore").read_text()
    assert machine.current() == "two"


def test_the_page_is_told_where_the_running_table_has_it(machine: Machine) -> None:
    """Its settings may name another port."""
    source, data = version(machine.folder, "one"), machine.root / "var/lib/tablescore"
    assert ":8000 (or" in machine.install(source)
    note = '{"address": "https://127.0.0.1:8443/", "key": "k"}'
    (data / "games.running.json").write_text(note)
    assert ".local:8443 (or" in machine.install(source)


@pytest.mark.parametrize(
    "option",
    [
        ("--password", "longenough"),
        ("--back",),
        ("--sha256", "12ab"),
        ("uninstall", "--camera", "upload"),
    ],
)
def test_an_option_without_effect_is_refused(machine: Machine, option: tuple[str, ...]) -> None:
    """Nobody believes that it did something."""
    done = machine.run("--yes", "--source", str(version(machine.folder, "one")), *option)
    assert (done.returncode, machine.calls()) == (1, [])
    assert next(each for each in option if each.startswith("--")) in done.stderr


def test_nothing_is_changed_before_somebody_agreed(machine: Machine) -> None:
    """Without a terminal nobody can: it says how to go on."""
    done = machine.run("--source", str(version(machine.folder, "one")))
    assert (done.returncode, machine.calls(), list(machine.root.iterdir())) == (1, [], [])
    assert "there is no terminal to ask on: add --yes" in done.stderr


def test_the_command_uses_the_games_and_settings_of_the_service(machine: Machine) -> None:
    """Whoever types `tablescore games` sees the table's games; update goes to the script."""
    machine.install(version(machine.folder, "one"))
    command = (machine.root / "usr/local/bin/tablescore").read_text()
    service = machine.unit("tablescore.service")
    found = re.search(r"^Environment=(.*)$", service, re.MULTILINE)
    assert found is not None
    assert f"export {found[1]}\n" in command
    assert "exec sh /opt/tablescore/install.sh" in command


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "say where Tablescore is: --source"),
        (("--source",), "--source takes a value"),
        (("--sauce", "x"), "there is no option --sauce"),
        (("--source", "nowhere"), "there is no folder nowhere"),
        (("--source", "nowhere.whl"), "can't be read"),
        (("--source", "."), "holds no Tablescore"),
        (("--source", "o'clock"), "is more than this script can do"),
        (
            ("--source", "SOURCE", "--hotspot", "Hall", "--password", "short"),
            "at least 8 characters",
        ),
        (("--source", "SOURCE", "--read-only"), "the games would be lost at each start"),
        (("update", "--back"), "there is no version before this one"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    machine: Machine, arguments: tuple[str, ...], sentence: str
) -> None:
    """It names the fault and the cure, on one line."""
    source = str(version(machine.folder, "one"))
    given = [source if each == "SOURCE" else each for each in arguments]
    # From a pipe, so that no folder is taken for the source
    done = machine.run("--yes", "--user", getuser(), *given, script=SCRIPT.read_text())
    assert done.returncode == 1
    assert re.search(rf"^tablescore: .*{re.escape(sentence)}", done.stderr, re.MULTILINE)


def test_a_32_bit_system_is_refused(machine: Machine) -> None:
    """There are no wheels for it."""
    machine.fake("uname", "echo armv7l")
    done = machine.run("--yes", "--source", str(version(machine.folder, "one")))
    assert (done.returncode, "needs a 64-bit system" in done.stderr) == (1, True)


@pytest.mark.parametrize(
    ("release", "theirs", "note", "camera"),
    [
        (13, True, "", "picamera"),
        (13, False, "only in Raspberry Pi's own archive", "webcam:0"),
        (12, True, "webcams, phones and the buttons on the page can", "webcam:0"),
    ],
    ids=["Raspberry Pi OS", "plain Debian", "bookworm"],
)
def test_a_pi_is_told_what_its_system_lacks(
    machine: Machine, release: int, note: str, camera: str, *, theirs: bool
) -> None:
    """Camera and pins take Raspberry Pi OS on Debian 13; the rest works everywhere."""
    found = f"*device-tree*) exit 0 ;; *archive.raspberrypi*) exit {0 if theirs else 1} ;;"
    machine.fake("grep", f'case "$*" in {found} esac; exec /bin/grep "$@"')
    machine.fake(
        "sed", f'case "$*" in */etc/os-release) echo {release} ;; *) exec /bin/sed "$@" ;; esac'
    )
    machine.fake(
        "dpkg-query", 'case "$3" in python3-*a*) exit 1 ;; esac; echo install ok installed'
    )
    printed = machine.install(version(machine.folder, "one"))
    assert note in printed
    real = camera == "picamera"
    made = (machine.root / "opt/tablescore/current/made").read_text()
    assert ("--system-site-packages" in made) == real
    fetched = [call for call in machine.calls() if call.startswith("apt-get install")]
    assert any("python3-picamera2" in call for call in fetched) == real
    chosen = (machine.root / "var/lib/tablescore/camera.toml").read_text()
    assert f'source = "{camera}"' in chosen


def test_an_update_keeps_the_version_before(machine: Machine) -> None:
    """The games are copied first; older versions go; --back changes to the one before."""
    for name in ("one", "two", "three"):
        machine.install(version(machine.folder, name))
        assert machine.current() == name
    assert len(list((machine.root / "opt/tablescore/versions").iterdir())) == 2
    calls = machine.calls()
    kept = machine.root / "var/lib/tablescore/before-update.sqlite3"
    assert kept.stat().st_mode & 0o077 == 0
    assert calls.index(f"tablescore one backup {kept}") < calls.index("tablescore two run")
    assert machine.run("update", "--back", "--yes").returncode == 0
    assert machine.current() == "two"


def test_an_update_fetches_the_source_again(machine: Machine) -> None:
    """It need not be named a second time; unchanged it changes nothing."""
    source = version(machine.folder, "one")
    machine.install(source)
    assert machine.run("update", "--yes").returncode == 0
    script = source / "models/tablescore"
    script.write_text(script.read_text().replace(" one ", " newer "))
    machine.calls()
    done = machine.run("update", "--yes")
    assert (done.returncode, machine.current()) == (0, "newer")


@pytest.mark.parametrize("level", [1, 2])
def test_an_update_goes_back_where_the_new_version_does_not_start(
    machine: Machine, level: int
) -> None:
    """With its units, and with the games as they were where it had changed them."""
    machine.install(version(machine.folder, "good"))
    unit, source = (
        machine.unit("tablescore.service"),
        version(machine.folder, "bad", level=level, starts=False),
    )
    template = source / "hardware/appliance/tablescore.service"
    template.write_text(template.read_text().replace("RestartSec=3", "RestartSec=4"))
    done = machine.run("update", "--yes", "--source", str(source))
    assert done.returncode == 1
    assert "the one before runs again" in done.stderr
    calls = machine.calls()
    assert calls[-1] == "tablescore good run"
    assert (machine.current(), machine.unit("tablescore.service")) == ("good", unit)
    assert machine.games().read_text() == "level 1\n"
    assert any("good restore" in call for call in calls) == (level == 2)
    machine.calls()
    assert machine.run("update", "--yes").returncode == 0  # from where the good one came
    assert machine.current() == "good"


def test_a_version_that_cannot_read_a_picture_is_not_changed_to(machine: Machine) -> None:
    """The old one is not even stopped."""
    machine.install(version(machine.folder, "good"))
    source = version(machine.folder, "bad")
    script = source / "models/tablescore"
    script.write_text(script.read_text().replace("  run)", "  read) exit 1 ;;\n  run)"))
    machine.calls()
    done = machine.run("update", "--yes", "--source", str(source))
    assert (done.returncode, machine.current()) == (1, "good")
    assert "can't read a picture here" in done.stderr
    assert len(list((machine.root / "opt/tablescore/versions").iterdir())) == 1


@pytest.mark.parametrize("step", ["-m venv", "-m pip install"])
def test_half_a_version_keeps_no_room(machine: Machine, step: str) -> None:
    """As after a disk that became full: the next try may have what it held."""
    machine.install(version(machine.folder, "good"))
    if step == "-m venv":  # as after Debian's change to another Python: nothing is linked
        machine.fake("readlink", "exit 1")
    fails = f'case "$*" in "{step} "*) for last; do :; done; mkdir -p "$last"; exit 1 ;; esac'
    machine.fake("python3", f"{fails}\n{PYTHON.replace('REAL', shlex.quote(sys.executable))}")
    done = machine.run("update", "--yes", "--source", str(version(machine.folder, "half")))
    assert (done.returncode, machine.current()) == (1, "good")
    assert "can't be set up" in done.stderr
    assert len(list((machine.root / "opt/tablescore/versions").iterdir())) == 1


def test_room_is_asked_for_before_anything_is_fetched_into_it(machine: Machine) -> None:
    """The sentence says how much there is."""
    machine.install(version(machine.folder, "good"))
    machine.fake("df", "printf 'Filesystem\\n/dev/card 1 1 90000 99%% /\\n'")
    done = machine.run("update", "--yes", "--source", str(version(machine.folder, "large")))
    assert (done.returncode, machine.current()) == (1, "good")
    assert "a version takes 100 MB, and there are 87: make room" in done.stderr


@pytest.mark.parametrize(
    ("source", "missing"),
    [("tablescore.whl", "python3"), ("http://x/t.whl", "curl"), ("git@x:t.git", "git")],
)
def test_a_dry_run_says_first_what_it_needs(machine: Machine, source: str, missing: str) -> None:
    """It installs nothing, so that on a bare machine it could not even open what it is given."""
    (machine.fakes / missing).unlink(missing_ok=True)
    tools = {"id", "dirname", "mktemp", "rm", "uname", "sed", "grep", "tr", "git", "curl"}
    for tool in tools - {missing}:
        if (found := shutil.which(tool)) and not (machine.fakes / tool).exists():
            (machine.fakes / tool).symlink_to(found)
    done = subprocess.run(
        [str(shutil.which("sh")), str(SCRIPT), "--dry-run", "--source", source],
        env=machine.environment() | {"PATH": str(machine.fakes)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"tablescore: {missing} comes first (sudo apt install {missing})")
    assert not any(call.startswith("systemctl") for call in machine.calls())


def test_a_new_card_begins_with_the_games_of_a_backup(machine: Machine) -> None:
    """One option more at the set-up, before the table starts."""
    backup = machine.folder / "games-2026-05-01-031500.sqlite3"
    backup.write_text("level 1\n")
    machine.install(version(machine.folder, "one"), "--restore", str(backup))
    calls = machine.calls()
    restored = next(call for call in calls if call.startswith("tablescore one restore"))
    assert calls.index(restored) < calls.index("tablescore one run")
    assert not (machine.root / "var/lib/tablescore/restoring.sqlite3").exists()


def test_it_is_removed_without_the_games(machine: Machine) -> None:
    """Units, command and versions go; the folder with the games stays, and is named."""
    machine.install(version(machine.folder, "one"), "--hub", "--hotspot", "Hall")
    refused = machine.run("uninstall")
    assert (refused.returncode, machine.current()) == (1, "one")
    done = machine.run("uninstall", "--yes")
    assert "/var/lib/tablescore" in done.stdout
    left = [path for path in machine.root.rglob("*") if path.is_file()]
    assert {path.parent for path in left} == {machine.root / "var/lib/tablescore"}
    assert "systemctl disable --now tablescore-hub.service" in machine.calls()


def test_systemd_takes_the_units_and_finds_them_closed(machine: Machine) -> None:
    """`systemd-analyze verify` has nothing to say, and `security` rates table and hub as ok."""
    machine.install(
        version(machine.folder, "one"), "--hub", "--kiosk", "/tv", "--backup", "/media/stick/games"
    )
    folder = machine.folder / "units"
    folder.mkdir()
    for path in (machine.root / "etc/systemd/system").iterdir():
        # What it starts is not installed here; everything else is read as it stands
        text = re.sub(
            r"^ExecStart=\S+", "ExecStart=/bin/true", path.read_text(), flags=re.MULTILINE
        )
        (folder / path.name).write_text(
            re.sub(r"^User=.*", "User=daemon", text, flags=re.MULTILINE)
        )
    units = sorted(map(str, folder.iterdir()))
    assert len(units) == 5
    analyze = program("systemd-analyze")
    assert output_of(analyze, "verify", *units) == ""
    least = ("security", "--offline=yes", f"--threshold={MOST_EXPOSURE * 10:.0f}")
    for name in ("tablescore.service", "tablescore-hub.service"):
        output_of(analyze, *least, str(folder / name))


def test_the_kiosk_takes_the_key_through_a_file_of_its_user(machine: Machine) -> None:
    """It is no argument of a program: any user of the machine reads those."""
    machine.install(version(machine.folder, "one"), "--kiosk", "/tv")
    unit = machine.unit("tablescore-kiosk.service").replace("\\\n", "")
    (before, started) = re.findall(r"^ExecStart(?:Pre)?=(.*)$", unit, re.MULTILINE)
    data, runtime = machine.folder / "data", machine.folder / "run"
    for folder in (data, runtime):
        folder.mkdir()
    (data / "here.key").write_text("s3cret")
    RunningNote(data / "games.sqlite3").write("http://127.0.0.1:8123/", "another")
    script = before.replace("$$", "$").replace("/run/tablescore-kiosk", str(runtime))
    script = script.replace("/var/lib/tablescore", str(data))
    subprocess.run(["/bin/sh", "-c", script], check=True)
    (page,) = runtime.iterdir()
    assert page.stat().st_mode & 0o777 == 0o600
    assert "url=http://127.0.0.1:8123/here/s3cret/tv?kiosk>" in page.read_text()
    assert started.endswith(f" file:///run/tablescore-kiosk/{page.name}")
    assert not {"sh", "here.key"} & set(re.split(r"[/ ]", started))


def test_the_units_leave_devices_and_the_name_of_the_machine_in_sight() -> None:
    """Camera, pins, keypads and the Pi's model would be gone with any of these."""
    service = configparser.ConfigParser(strict=False, interpolation=None)
    service.optionxform = str  # type: ignore[assignment,method-assign]
    service.read(APPLIANCE / "tablescore.service")
    keys = dict(service["Service"])
    assert not {"PrivateDevices", "DevicePolicy", "ProtectClock", "PrivateUsers"} & keys.keys()
    assert keys.get("ProcSubset", "all") == "all"
    assert (keys["Type"], keys["NotifyAccess"], keys["Restart"]) == ("notify", "all", "always")
    assert keys["WorkingDirectory"] == keys["ReadWritePaths"]


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[str]:
    """Where `python3 -m http.server` offers a wheel and the script."""
    served = tmp_path / "served"
    served.mkdir()
    source = version(tmp_path, "wheel")
    with zipfile.ZipFile(served / "tablescore-0.1.0-py3-none-any.whl", "w") as wheel:
        for path in source.rglob("*"):
            wheel.write(path, path.relative_to(source))
    shutil.copy(SCRIPT, served)
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(served))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_one_line_to_paste_installs_a_wheel_from_another_computer(
    machine: Machine, laptop: str
) -> None:
    """The script comes through a pipe, the wheel by http; a part of the script does nothing."""
    script = output_of(program("curl"), "-fsS", f"{laptop}/install.sh")
    wheel = f"{laptop}/tablescore-0.1.0-py3-none-any.whl"
    content = (machine.folder / "served" / Path(wheel).name).read_bytes()
    given = hashlib.sha256(content).hexdigest()
    options = ("--yes", "--user", getuser(), "--source", wheel, "--sha256", given)
    machine.run(*options, script=script[: len(script) * 9 // 10])
    assert (machine.calls(), list(machine.root.iterdir())) == ([], [])
    done = machine.run(*options, script=script)
    assert done.returncode == 0, done.stderr
    assert machine.current() == "wheel"
    assert f"source='{wheel}'" in (machine.root / "opt/tablescore/choices").read_text()


@pytest.mark.parametrize(
    ("source", "options", "fault"),
    [
        ("LAPTOP/tablescore-0.1.0-py3-none-any.whl", (), "could be changed on its way"),
        ("git://hub.example/tablescore", (), "could be changed on its way"),
        ("http://hub.example/tablescore.git", (), "could be changed on its way"),
        (
            "LAPTOP/tablescore-0.1.0-py3-none-any.whl",
            ("--sha256", "0" * 64),
            "is not the one with that checksum",
        ),
        ("LAPTOP/tablescore-0.1.0-py3-none-any.whl", ("--insecure",), ""),
    ],
)
def test_a_source_that_somebody_on_the_way_could_change_is_refused(
    machine: Machine, laptop: str, source: str, options: tuple[str, ...], fault: str
) -> None:
    """What runs as root comes by https or ssh, by its checksum, or because somebody says so."""
    if source.startswith("LAPTOP"):
        program("curl")
    named = source.replace("LAPTOP", laptop)
    done = machine.run("--yes", "--user", getuser(), "--source", named, *options)
    assert (done.returncode == 0) == (fault == "")
    assert fault in done.stderr


class Repository:
    """A repository whose newest commit may be a tag that a key has signed."""

    def __init__(self, folder: Path) -> None:
        for each in ("git", "ssh-keygen"):
            program(each)
        self.folder, self.keys = version(folder, "repository"), folder
        for each in ("scoreboard", "vision", "web"):
            (self.folder / each / "something").touch()  # git keeps no empty folder
        self._git("init", "--quiet")

    def release(self, name: str, key: str = "") -> None:
        """A new version, signed by the key of that name, which is made where there is none."""
        (self.folder / "models" / "release").write_text(name)
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", name)
        if key:
            file = self.keys / key
            if not file.exists():
                output_of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file))
            self._git("-c", f"user.signingkey={file}.pub", "tag", "--sign", "-m", name, name)

    def _git(self, *arguments: str) -> None:
        settings = {
            "user.name": "A maintainer",
            "user.email": "maintainer@hub.example",
            "gpg.format": "ssh",
        }
        given = (each for name, value in settings.items() for each in ("-c", f"{name}={value}"))
        output_of("git", "-C", str(self.folder), *given, *arguments)


def test_what_was_signed_at_first_stays_signed_by_the_same_key(machine: Machine) -> None:
    """The key of the first install is remembered; another or none is refused."""
    repository = Repository(machine.folder)

    def update(*options: str) -> str:
        named = ("--user", getuser(), "--source", f"file://{repository.folder}")
        done = machine.run("update", "--yes", *named, *options)
        return done.stderr if done.returncode else ""

    repository.release("one", "ours")
    assert update() == ""
    assert "key='SHA256:" in (machine.root / "opt/tablescore/choices").read_text()
    repository.release("two", "ours")
    assert update() == ""
    repository.release("three")
    assert "is not signed by the key of the first time" in update()
    repository.release("four", "theirs")
    assert "is not signed by the key of the first time" in update()
    repository.release("five", "ours")
    assert update() == ""
    repository.release("six", "theirs")
    assert update("--insecure") == ""
    repository.release("seven", "theirs")
    assert update() == ""
