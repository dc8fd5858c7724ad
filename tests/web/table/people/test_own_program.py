"""Which program sends a request, asked of a real kernel."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from web.table.people.access import is_own_program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")

ASKING = "import socket; {2}; asks = socket.create_connection(({0!r}, {1})); input()"
REUSING = (
    "socket.create_connection = lambda to: (s := socket.socket(), s.setsockopt(1, 2, 1), "
    "s.bind(('127.0.0.1', {})), s.connect(to))[0]"
)
LISTENING = "other = socket.create_server(('127.0.0.1', 0))"
PASSING_ON = "other = socket.socket(type=socket.SOCK_DGRAM); other.connect(('192.0.2.1', 9))"


@contextmanager
def asked_by(program: str, address: str = "127.0.0.1") -> Iterator[tuple[str, int, int]]:
    """The ends of a connection to this test, of another program that first does that."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as server:
        code = ASKING.format(address, server.getsockname()[1], program)
        with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as asking:
            connection, (host, port, *_) = server.accept()
            with connection:
                yield host, port, server.getsockname()[1]
                asking.communicate(b"\n")


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_a_script_of_the_own_user_is_known(address: str) -> None:
    """It could read the key, and need not."""
    with asked_by("pass", address) as end:
        assert is_own_program(*end)


def test_what_listens_for_others_is_not() -> None:
    """So does a proxy, and the table's user may well have started it."""
    with asked_by(LISTENING) as end:
        assert not is_own_program(*end)


def test_what_is_connected_to_others_is_not() -> None:
    """So is the end of a tunnel."""
    with socket.socket(type=socket.SOCK_DGRAM) as tried:
        try:
            tried.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("This machine has no way to others.")
    with asked_by(PASSING_ON) as end:
        assert not is_own_program(*end)


def test_an_end_that_there_is_not_is_nobodys() -> None:
    """A connection that is closed again proves nothing."""
    with asked_by("pass") as (_, *ports):
        pass
    assert not is_own_program("127.0.0.1", *ports)


def test_another_program_may_have_that_end_of_a_connection_elsewhere() -> None:
    """The kernel gives a port to several, as long as they go to different places."""
    with socket.create_server(("127.0.0.1", 0)) as elsewhere, socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        other.connect(elsewhere.getsockname())
        with asked_by(REUSING.format(other.getsockname()[1])) as end:
            assert end[1] == other.getsockname()[1]
            assert is_own_program(*end)
