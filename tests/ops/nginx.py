"""A real nginx with the configuration of docs/build/images.md, before a folder of images and a real API process."""

import asyncio
import datetime as dt
import os
import re
import shutil
import signal
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from domain.ids import wall_clock_ms
from domain.media.signing import Images
from runner.ports import HOST as LOOPBACK
from runner.process import Command, Process
from tests.support.deployment import ROOT, Deployment

HOST = "images.example.com"
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
{documented}
}}
"""
"""What Debian has in nginx.conf, for a home of our own, around what the documentation says."""


@dataclass
class Front:
    """nginx, and what stands behind it."""

    port: int
    deployment: Deployment
    api: Process
    browser: httpx.AsyncClient
    trusting: ssl.SSLContext

    def __post_init__(self) -> None:
        self.images = Images(self.deployment.settings)

    def signed(self, name: str = "cat.jpg", ago_ms: int = 0, host: str = HOST) -> str:
        """Path and query of an image's URL as it was given away some time ago."""
        url = self.images.allowed(f"https://{host}/{name}")
        return self.images.signed(url, wall_clock_ms() - ago_ms).removeprefix(f"https://{host}")

    async def get(self, uri: str, method: str = "GET", **headers: str) -> httpx.Response:
        """The answer to a browser, which sends the URI as it is."""
        target = {"target": uri.encode("latin-1"), "sni_hostname": HOST}
        url = f"https://{LOOPBACK}:{self.port}"
        return await self.browser.request(method, url, headers={"Host": HOST, **headers}, extensions=target)

    async def status(self, target: bytes) -> int:
        """What a program is answered that writes into a request what no browser would."""
        reader, writer = await asyncio.open_connection(LOOPBACK, self.port, ssl=self.trusting, server_hostname=HOST)
        writer.write(b"GET " + target + b" HTTP/1.1\r\nHost: images.example.com\r\nConnection: close\r\n\r\n")
        first_line = await reader.readline()
        writer.close()
        return int(first_line.split()[1])

    async def asked(self) -> int:
        """How often the API has been asked about an image so far."""
        told = (await self.browser.get(f"{self.deployment.url}/metrics")).text
        return int(sum(map(float, re.findall(r"^plaudit_image_verifications_total\{.*\} (\S+)$", told, re.MULTILINE))))


def documented() -> str:
    """The configuration, word for word."""
    found = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs" / "build" / "images.md").read_text(), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def at(text: str, places: dict[str, str]) -> str:
    """The text with other places in it; each has to be there once."""
    for place, other in places.items():
        assert text.count(place) == 1, place
        text = text.replace(place, other)
    return text


def certify(folder: Path) -> ssl.SSLContext:
    """Leaves the certificate of the host and its key in a folder. Returns what trusts nobody else."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - dt.timedelta(days=1)).not_valid_after(now + dt.timedelta(days=1))
    alternative = x509.SubjectAlternativeName([x509.DNSName(HOST)])
    certificate = builder.add_extension(alternative, critical=False).sign(key, hashes.SHA256())
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    (folder / "certificate").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return ssl.create_default_context(cafile=str(folder / "certificate"))


def started(home: Path, port: int, api_port: int) -> Process:
    """nginx on a port, in front of an API's. `home` has the certificate, its key, and the images."""
    if PROGRAM is None:
        pytest.fail(MISSING)
    here = at(
        documented(),
        {
            "listen 443 ssl": f"listen {LOOPBACK}:{port} ssl",
            "/etc/ssl/images.example.com.pem": f"{home}/certificate",
            "/etc/ssl/images.example.com.key": f"{home}/key",
            "/srv/images": f"{home}/images",
            "/var/cache/nginx-verdicts": f"{home}/verdicts",
            "server 127.0.0.1:8000": f"server {LOOPBACK}:{api_port}",
        },
    )
    (home / "nginx.conf").write_text(MAIN.format(home=home, documented=here))
    command = Command(
        argv=(PROGRAM, "-p", str(home), "-c", str(home / "nginx.conf"), "-e", "stderr"),
        log=home.with_suffix(".log"),
        death_signal=signal.SIGTERM,  # upon which it ends its workers
        unprivileged=home,
    )
    return Process.start(command, lambda _: listens(port), READY_SECONDS)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0
