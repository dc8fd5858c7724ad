"""The table's authority and its certificate: whom they name, how long, and who trusts them."""

from __future__ import annotations

import socket
import ssl
import stat
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from tests.patience import PATIENCE_SECONDS
from web.shared.addresses import parsed_address
from web.shared.certificates import Authority, CertificateError, TableCertificate
from web.shared.clocks import utc_now

NAMES = frozenset({"localhost", "127.0.0.1", "::1", "pi", "pi.local", "192.168.1.20"})
MORE = frozenset({"dice.example", "192.0.2.7", "2001:db8::7"})
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


class Table:
    """What a table's certificate depends on, to be changed by a test."""

    def __init__(self, folder: Path, names: Iterable[str] = NAMES, now: datetime = NOON) -> None:
        self.folder, self.names, self.now = folder / "https", names, now

    def open(self) -> TableCertificate:
        """The certificate as a start of the table opens it."""
        return TableCertificate(self.folder, lambda: self.names, lambda: self.now)

    def shown(self) -> x509.Certificate:
        """The certificate that is kept."""
        return x509.load_pem_x509_certificate((self.folder / "table.pem").read_bytes())


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table that was never started."""
    return Table(tmp_path)


def named(certificate: x509.Certificate) -> set[str]:
    """The names and addresses in it."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in names}


def handshake(certificate: TableCertificate, name: str) -> None:
    """Call the table by that name, trusting its authority alone. Raises ssl.SSLError."""
    trusting = ssl.create_default_context(cadata=certificate.authority.pem.decode())
    trusting.verify_flags |= ssl.VERIFY_X509_STRICT
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.settimeout(PATIENCE_SECONDS)

    def answer() -> None:
        try:
            certificate.context.wrap_socket(theirs, server_side=True).close()
        except (ssl.SSLError, ConnectionError):
            theirs.close()  # the caller does not trust us, which is its test's to judge

    answering = Thread(target=answer)
    answering.start()
    with closing(ours):
        try:
            trusting.wrap_socket(ours, server_hostname=name).close()
        finally:
            ours.close()
            answering.join()


def test_who_trusts_the_authority_trusts_the_table_by_each_of_its_names(tmp_path: Path) -> None:
    """The chain holds by OpenSSL's strictest rules, name constraints included.

    What the table was called at its first start is permitted, also a name or address in public.
    """
    certificate = Table(tmp_path, NAMES | MORE, utc_now()).open()
    for name in sorted(NAMES | MORE):
        handshake(certificate, name)


def test_no_other_name_is_the_tables(tmp_path: Path) -> None:
    """An address that the table does not have is refused by whoever calls it."""
    certificate = Table(tmp_path, now=utc_now()).open()
    with pytest.raises(ssl.SSLCertVerificationError, match=r"192\.168\.1\.99"):
        handshake(certificate, "192.168.1.99")


@pytest.mark.parametrize(
    "name",
    [
        x509.DNSName("bank.example"),
        x509.IPAddress(ip_address("2001:db8:0:2::7")),
        x509.RFC822Name("somebody@bank.example"),
        x509.UniformResourceIdentifier("https://bank.example/"),
    ],
    ids=["a page", "another home", "e-mail", "an address"],
)
def test_the_authority_is_of_no_use_for_anything_else(
    tmp_path: Path, name: x509.GeneralName
) -> None:
    """Whoever steals its key signs in vain: the constraint stands in what phones trust."""
    table = Table(tmp_path, now=utc_now())
    certificate = table.open()
    forged = tmp_path / "forged.pem"
    forged.write_bytes(certificate.authority.sign([name, x509.DNSName("pi")], table.now))
    certificate._take(forged)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        handshake(certificate, "pi")


def test_the_authority_signs_for_homes_alone() -> None:
    """Private addresses, IPv6 of the home that it was made in, names that no public server has."""
    authority = Authority.make("pi", ["pi", "2001:db8:0:1::7"], NOON)
    for name, own in (
        ("pi", True),
        ("pi.local", True),
        ("table.pi", True),
        ("mylocal", False),
        ("local.example", False),
        ("bank.example", False),
        ("10.0.0.7", True),
        ("172.31.255.1", True),
        ("172.32.0.1", False),
        ("1.1.1.1", False),
        ("fd00::7", True),
        ("2001:db8::7", False),
        ("2001:db8:0:1::99", True),
        ("2001:db8:0:2::99", False),
        ("::ffff:0:7", False),
    ):
        address = parsed_address(name)
        asked = x509.DNSName(name) if address is None else x509.IPAddress(address)
        assert authority.permits(asked) is own, name


def test_the_authority_vouches_for_pages_alone() -> None:
    """A device that trusts it for everything takes neither e-mail nor programs from its key."""
    extensions = Authority.make("pi", ["pi"], NOON).certificate.extensions
    usage = extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]


def test_both_last_as_long_as_browsers_take(table: Table) -> None:
    """Ten years for what is trusted once, at most 397 days for what changes by itself."""
    authority = table.open().authority.certificate
    for certificate, days in ((authority, 3650), (table.shown(), 397)):
        lasts = certificate.not_valid_after_utc - certificate.not_valid_before_utc
        assert lasts == timedelta(days=days)
        assert certificate.not_valid_before_utc < table.now - timedelta(hours=12)


def test_only_the_owner_can_read_the_keys(table: Table) -> None:
    """Files 0600 in a folder 0700, and nothing else is left in it."""
    table.open()
    assert stat.S_IMODE(table.folder.stat().st_mode) == 0o700
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in table.folder.iterdir()}
    assert modes == {"authority.pem": 0o600, "table.pem": 0o600}


def test_a_restart_keeps_both(table: Table) -> None:
    """A browser that was told to trust just this certificate is not asked again."""
    first = table.open().authority.pem, table.shown()
    table.now += timedelta(days=300)
    table.names = NAMES - {"192.168.1.20"}  # the network is not there yet
    assert (table.open().authority.pem, table.shown()) == first


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (timedelta(days=337), NAMES),
        (-timedelta(days=2), NAMES),
        (timedelta(), NAMES | {"192.168.7.3"}),
    ],
    ids=["it nears its end", "the clock was set back", "an address has come"],
)
def test_it_is_renewed_by_itself(table: Table, change: timedelta, names: frozenset[str]) -> None:
    """In a running table: the next connection gets the new one, of the same authority."""
    certificate = table.open()
    before, context = table.shown(), certificate.context
    certificate.renew()
    assert certificate.context is context
    table.now, table.names = table.now + change, names
    certificate.renew()
    after = table.shown()
    assert after != before
    assert certificate.context is not context
    assert named(after) == set(names)
    assert after.not_valid_before_utc <= table.now < after.not_valid_after_utc
    assert certificate.authority.has_signed(after)


def test_a_name_for_which_the_authority_may_not_sign_is_left_out_and_told(table: Table) -> None:
    """It was made for other names: those still work, and the start says what doesn't."""
    table.open()
    table.names = NAMES | {"dice.example", "8.8.8.8", "no host\udcff"}
    certificate = table.open()
    assert certificate.left_out == ("8.8.8.8", "dice.example", "no host\udcff")
    assert named(table.shown()) == NAMES


def test_another_tables_authority_is_never_overwritten(table: Table) -> None:
    """Two tables that start at once on one machine share the quicker one's."""
    assert table.open().authority.pem == Table(table.folder.parent).open().authority.pem


@pytest.mark.parametrize("content", [b"", b"nonsense", b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_damaged_authority_is_refused_with_the_cure(table: Table, content: bytes) -> None:
    """A new one in its place would cut off every phone without a word."""
    table.open()
    (table.folder / "authority.pem").write_bytes(content)
    with pytest.raises(CertificateError, match=r"authority\.pem cannot be used.*delete it"):
        table.open()


def test_a_clock_that_is_years_ahead_loses_no_authority(table: Table) -> None:
    """It is refused, and there again once the clock is right."""
    authority = table.open().authority.pem
    table.now += timedelta(days=4000)
    with pytest.raises(CertificateError, match="it has ended; is this machine’s clock right"):
        table.open()
    table.now = NOON
    assert table.open().authority.pem == authority


def test_a_damaged_certificate_is_replaced(table: Table) -> None:
    """Nobody trusts it by itself, so nobody has to know."""
    table.open()
    (table.folder / "table.pem").write_bytes(b"nonsense")
    table.open()
    assert named(table.shown()) == NAMES


def test_a_folder_that_is_none_is_refused_with_the_cure(tmp_path: Path) -> None:
    """A file in its place stands for all that can be wrong with it."""
    (tmp_path / "https").write_text("")
    with pytest.raises(CertificateError, match="start without --https"):
        Table(tmp_path).open()


def test_a_renewal_that_fails_keeps_what_there_is(table: Table) -> None:
    """A full disk ends no evening: the old certificate is shown, and the log says why."""
    certificate = table.open()
    context = certificate.context
    table.names = NAMES | {"192.168.7.3"}
    table.folder.rename(table.folder.with_name("elsewhere"))
    certificate.keep_renewed()
    assert certificate.context is context


@pytest.mark.parametrize("running", [False, True], ids=["at the next start", "while it runs"])
@pytest.mark.parametrize("wrong", [timedelta(days=3), timedelta(days=-9000)])
def test_a_clock_that_was_wrong_leaves_no_authority_of_another_day(
    table: Table, wrong: timedelta, *, running: bool
) -> None:
    """Once the clock is right, phones trust a new one; the old one is kept beside it."""
    table.now = NOON + wrong
    certificate = table.open()
    old, table.now = certificate.authority.pem, NOON
    if not running:
        certificate = table.open()
    certificate.renew()
    assert certificate.authority.certificate.not_valid_before_utc <= NOON
    assert certificate.authority.has_signed(table.shown())
    assert certificate.authority.certificate.not_valid_after_utc > NOON
    assert old in (table.folder / "authority.misdated").read_bytes()
