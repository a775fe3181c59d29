"""A real nginx on loopback, with a configuration of the project at other paths and ports."""

import datetime as dt
import os
import shutil
import signal
import socket
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from runner.ports import HOST
from runner.process import Command, Process
from runner.waiting import finished

PROGRAM = shutil.which("nginx", path=os.environ.get("PLAUDIT_NGINX_BIN") or f"{os.environ.get('PATH', '')}:/usr/sbin")
MISSING = "nginx is neither on the PATH nor in PLAUDIT_NGINX_BIN: apt-get install nginx-light"
READY_SECONDS = 20

MAIN = """
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
events {{}}
http {{
    access_log {home}/access.log;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
{configuration}
}}
"""
"""Debian's nginx.conf with other paths, around a file of /etc/nginx/conf.d."""


def at(text: str, places: dict[str, str]) -> str:
    """Returns the configuration with other paths and ports. Each must occur once."""
    for place, other in places.items():
        assert text.count(place) == 1, place
        text = text.replace(place, other)
    return text


def certify(folder: Path, host: str) -> ssl.SSLContext:
    """Writes a certificate and its key into a folder. Returns an SSL context that trusts only this certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - dt.timedelta(days=1)).not_valid_after(now + dt.timedelta(days=1))
    alternative = x509.SubjectAlternativeName([x509.DNSName(host)])
    certificate = builder.add_extension(alternative, critical=False).sign(key, hashes.SHA256())
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    (folder / "certificate").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return ssl.create_default_context(cafile=str(folder / "certificate"))


def started(home: Path, port: int, configuration: str) -> Process:
    """Starts nginx, which must listen on the port. `home` holds the files that the configuration names."""
    assert PROGRAM, MISSING
    (home / "nginx.conf").write_text(MAIN.format(home=home, configuration=configuration))
    command = Command(
        argv=(PROGRAM, "-p", str(home), "-c", str(home / "nginx.conf"), "-e", "stderr"),
        log=home.with_suffix(".log"),
        death_signal=signal.SIGTERM,  # nginx then stops its workers
        unprivileged=home,
    )
    return finished(Process.starting(command, lambda _: listens(port), READY_SECONDS))


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
