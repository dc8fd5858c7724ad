"""The table's own certificate authority, and its certificate for browsers.

A phone is set to trust the authority once. Its certificates then change with the network without
anyone's help. No other service is involved: everything is computed here.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hardware.machine import FIRST_RELEASE
from web.shared.addresses import parsed_address
from web.shared.clocks import utc_now

if TYPE_CHECKING:
    from scoreboard.table.ports import Clock

AUTHORITY_FILE: Final = "authority.pem"
CERTIFICATE_FILE: Final = "table.pem"
AUTHORITY_TIME: Final = timedelta(days=3650)
CERTIFICATE_TIME: Final = timedelta(days=397)  # what Safari and Chrome take of any authority
RENEWED_BEFORE: Final = timedelta(days=60)
CLOCKS_DIFFER: Final = timedelta(days=1)  # a phone whose clock is behind
LONGEST_COMMON_NAME: Final = 64
# Names that no public name server has, and networks that are private. A key that is stolen from the
# table is of no use for a bank's page, nor for e-mail or programs.
OWN_DOMAINS: Final = ("localhost", "local", "lan", "home", "home.arpa", "internal")
OWN_NETWORKS: Final = (
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "::1/128",
    "fc00::/7",
)
OWN_IPV6_PREFIX: Final = 64  # of an address in public: what a home's router hands out
# Where one of a kind is permitted, no other is: so none of these kinds.
NOBODYS: Final = (x509.RFC822Name("invalid"), x509.UniformResourceIdentifier("invalid"))

LOG: Final = logging.getLogger(__name__)


class CertificateError(OSError):
    """No certificate can be made or stored; the text is one sentence with a cure."""


class Authority:
    """The signer of a table's certificates: a key, and the certificate that phones trust."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self._key = key
        self.certificate: Final = certificate
        self.pem: Final = certificate.public_bytes(serialization.Encoding.PEM)

    @classmethod
    def make(cls, machine: str, names: Iterable[str], now: datetime) -> Authority:
        """A new one for this machine, that may also sign for `names`."""
        key, builder = _begun(f"Tablescore on {machine}"[:LONGEST_COMMON_NAME], None, now)
        permitted: list[x509.GeneralName] = [
            *(x509.DNSName(domain) for domain in OWN_DOMAINS),
            *(x509.IPAddress(ip_network(network)) for network in OWN_NETWORKS),
            *NOBODYS,
        ]
        for name in map(_general_name, sorted(names)):
            if name is not None and not _any_covers(permitted, name):
                permitted.append(_subtree(name))
        builder = builder.add_extension(x509.NameConstraints(permitted, None), critical=True)
        return cls(key, builder.sign(key, hashes.SHA256()))

    @classmethod
    def read(cls, pem: bytes) -> Authority:
        """The one that `secret_pem` wrote. Raises ValueError for anything else."""
        key = serialization.load_pem_private_key(pem, password=None)
        certificate = x509.load_pem_x509_certificate(pem)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or (
            key.public_key() != certificate.public_key()
        ):
            raise ValueError("the key is not the certificate's")
        return cls(key, certificate)

    @property
    def secret_pem(self) -> bytes:
        return _key_pem(self._key) + self.pem

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, as phones show it."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(" ").upper()

    def permits(self, name: x509.GeneralName) -> bool:
        found = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        return _any_covers(found.permitted_subtrees or (), name)

    def has_signed(self, certificate: x509.Certificate) -> bool:
        try:
            certificate.verify_directly_issued_by(self.certificate)
        except (InvalidSignature, ValueError, TypeError):
            return False
        return True

    def sign(self, names: Iterable[x509.GeneralName], now: datetime) -> bytes:
        key, builder = _begun("Tablescore", self.certificate.subject, now)
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        certificate = (
            builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(identifier, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        return _key_pem(key) + certificate.public_bytes(serialization.Encoding.PEM)


class TableCertificate:
    """The certificate of one table, stored in `folder` with its authority, both owner-only.

    `names` gives the page's current names and addresses. `context` is for the next connection;
    existing ones keep theirs.
    """

    def __init__(
        self, folder: Path, names: Callable[[], Iterable[str]], clock: Clock = utc_now
    ) -> None:
        """Read or make both. Raises CertificateError if they cannot be read, or not be written."""
        self._folder, self._names, self._clock = folder, names, clock
        self.file: Final = folder / CERTIFICATE_FILE
        self.authority_file: Final = folder / AUTHORITY_FILE
        self.left_out: tuple[str, ...] = ()  # the names for which the authority may not sign
        self.authority = self._open_authority()
        self._certificate: x509.Certificate | None = None
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            self._take(self.file)
        except (OSError, ValueError):  # there is none, or none that can be used: a new one is made
            LOG.debug("no certificate to go on with in %s", folder)
        self.renew()

    def renew(self) -> None:
        """Make a new certificate where names or the time ask for one. Raises CertificateError."""
        now = self._clock()
        if _is_misdated(self.authority, now):
            self.authority = self._open_authority()
        wanted = tuple(self._permitted())
        if self._certificate is not None and self._serves(self._certificate, wanted, now):
            return
        try:
            with _new_file(self._folder, self.authority.sign(wanted, now)) as made:
                self._take(made)
                made.replace(self.file)
        except OSError as error:
            raise self._unwritable(error) from error
        LOG.info("certificate: a new one for %d names and addresses", len(wanted))

    def keep_renewed(self) -> None:
        try:
            self.renew()
        except CertificateError as error:
            LOG.warning("certificate: %s", error)

    def _permitted(self) -> Iterable[x509.GeneralName]:
        """What the certificate shall name, in a fixed order; the rest is noted as left out."""
        found = {name: _general_name(name) for name in sorted(self._names())}
        fits = {
            name: each
            for name, each in found.items()
            if each is not None and self.authority.permits(each)
        }
        self.left_out = tuple(name for name in found if name not in fits)
        return dict.fromkeys(fits.values())

    def _serves(
        self, certificate: x509.Certificate, wanted: Iterable[x509.GeneralName], now: datetime
    ) -> bool:
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        ends = certificate.not_valid_after_utc - RENEWED_BEFORE
        return (
            # the clock may have been set back since it was made
            certificate.not_valid_before_utc <= now < ends
            and set(wanted) <= set(named)
            and self.authority.has_signed(certificate)
        )

    def _take(self, file: Path) -> None:
        """Show the certificate of that file. Raises OSError, ValueError."""
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(file)
        self.context, self._certificate = context, certificate

    def _open_authority(self) -> Authority:
        file, now = self.authority_file, self._clock()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not file.exists():
                made = Authority.make(socket.gethostname(), self._names(), now)
                with _new_file(self._folder, made.secret_pem) as new, suppress(FileExistsError):
                    os.link(new, file)  # unless another table of this machine was quicker
            authority = Authority.read(file.read_bytes())
            if _is_misdated(authority, now):  # no phone can trust it before that day, or any more
                LOG.warning("certificate: a wrong clock made the authority; a new one is made")
                file.replace(file.with_suffix(".misdated"))  # but a wrong clock deletes nothing
                return self._open_authority()
        except ValueError as error:
            raise self._unusable(str(error)) from error
        except OSError as error:
            raise self._unwritable(error) from error
        if now >= authority.certificate.not_valid_after_utc:
            raise self._unusable("it has ended; is this machine’s clock right?")
        return authority

    def _unusable(self, why: str) -> CertificateError:
        return CertificateError(
            f"The authority in {self.authority_file} cannot be used: {why}. Restore the file, or "
            "delete it: the table then makes a new one, which every phone has to trust anew."
        )

    def _unwritable(self, error: OSError) -> CertificateError:
        return CertificateError(
            f"The certificate cannot be kept in {self._folder} ({error.strerror}): give the right "
            "to that folder, or start without --https."
        )


def _general_name(name: str) -> x509.GeneralName | None:
    """The name as certificates have it, None where they cannot."""
    address = parsed_address(name)
    if address is not None:
        return x509.IPAddress(address)
    try:
        return x509.DNSName(name.encode("idna").decode("ascii"))
    except UnicodeError:
        return None


def _subtree(name: x509.GeneralName) -> x509.GeneralName:
    """The least that holds that name: an address, in IPv6 its home, whose addresses change."""
    match name:
        case x509.IPAddress(value=IPv6Address() as address):
            network = ip_network((address, OWN_IPV6_PREFIX), strict=False)
            return x509.IPAddress(network)
        case x509.IPAddress():
            return x509.IPAddress(ip_network(name.value))
    return name


def _any_covers(subtrees: Iterable[x509.GeneralName], name: x509.GeneralName) -> bool:
    """Whether one of these subtrees (RFC 5280, section 4.2.1.10) holds that name."""
    for each in subtrees:
        match each, name:
            case x509.DNSName(), x509.DNSName():
                if f".{name.value}".endswith(f".{each.value}"):
                    return True
            case x509.IPAddress(value=IPv4Network() | IPv6Network() as network), x509.IPAddress():
                if name.value in network:
                    return True
    return False


def _is_misdated(authority: Authority, now: datetime) -> bool:
    """Whether a clock made it that was ahead, or that showed a year before this program was."""
    begins = authority.certificate.not_valid_before_utc
    return begins > now + CLOCKS_DIFFER or begins + CLOCKS_DIFFER < FIRST_RELEASE <= now


def _begun(
    called: str, issuer: x509.Name | None, now: datetime
) -> tuple[ec.EllipticCurvePrivateKey, x509.CertificateBuilder]:
    """A new key, and what a certificate and an authority, which has no `issuer`, have in common."""
    key, signs = ec.generate_private_key(ec.SECP256R1()), issuer is None
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, called)])
    begins = now.replace(microsecond=0) - CLOCKS_DIFFER
    usage = x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer or subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + (AUTHORITY_TIME if signs else CERTIFICATE_TIME))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.BasicConstraints(signs, 0 if signs else None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    )
    return key, builder


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


@contextmanager
def _new_file(folder: Path, content: bytes) -> Iterator[Path]:
    """A new file that only its owner can read; gone afterwards unless it was renamed."""
    handle, name = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
