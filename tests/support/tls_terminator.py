"""A TLS proxy in front of a server without TLS. It counts the TLS records that clients send.

A record is one write of the client, up to 16 KB. Connections without TLS are forwarded unchanged.
"""

import ipaddress
import select
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from runner.ports import HOST

CHUNK = 1 << 16
CLIENT_HELLO = b"\x16"


class Terminator:
    """A listener on `port`. `records` has the TLS records that clients have sent."""

    def __init__(self, upstream: int, certificate: Path) -> None:
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate)
        self._upstream = upstream
        self._listener = socket.create_server((HOST, 0))
        self._clients: list[socket.socket] = []
        self._flowing = threading.Event()
        self._flowing.set()
        self.port: int = self._listener.getsockname()[1]
        self.records: list[bytes] = []

    def serve(self) -> None:
        """Accepts connections until the terminator is closed."""
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def hold(self) -> None:
        """Stops forwarding, and keeps connections open."""
        self._flowing.clear()

    def hang_up(self) -> None:
        """Closes all connections."""
        for client in self._clients:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        self._flowing.set()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection((HOST, self._upstream)) as server:
            if client.recv(1, socket.MSG_PEEK) == CLIENT_HELLO:
                client = self._context.wrap_socket(client, server_side=True)
            self._clients.append(client)
            with client:
                while self._passed_on(client, server):
                    pass

    def _passed_on(self, client: socket.socket, server: socket.socket) -> bool:
        """Forwards one record. Returns False at the end of the connection."""
        waiting = isinstance(client, ssl.SSLSocket) and client.pending()
        ready = [client] if waiting else select.select([client, server], [], [])[0]
        self._flowing.wait()
        for source in ready:
            data = source.recv(CHUNK)
            if not data:
                return False
            if source is client:
                self.records += [data] if isinstance(client, ssl.SSLSocket) else []
            (server if source is client else client).sendall(data)
        return True


@contextmanager
def terminated(upstream: int, certificate: Path) -> Iterator[Terminator]:
    """Runs a terminator in front of a server on loopback while the block runs."""
    terminator = Terminator(upstream, certificate)
    threading.Thread(target=terminator.serve, daemon=True).start()
    try:
        yield terminator
    finally:
        terminator.close()


def certify(file: Path) -> None:
    """Writes a key and a self-signed certificate for this machine that is valid for an hour."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + certificate.public_bytes(Encoding.PEM))
