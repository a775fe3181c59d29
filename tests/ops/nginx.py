"""A real nginx with the configuration of docs/build/images.md, in front of a folder of images and a real API."""

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
from domain.images.signed_urls import Images
from runner.ports import HOST as LOOPBACK
from runner.process import Command, Process
from runner.waiting import finished
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
"""Debian's nginx.conf with other paths, around the documented configuration."""


@dataclass
class ImageSite:
    """nginx, and the API behind it."""

    port: int
    deployment: Deployment
    api: Process
    browser: httpx.AsyncClient
    trusting: ssl.SSLContext

    def __post_init__(self) -> None:
        self.images = Images(self.deployment.settings)

    def signed(self, name: str = "cat.jpg", ago_ms: int = 0, host: str = HOST) -> str:
        """Returns path and query of an image's URL that was signed `ago_ms` ago."""
        url = self.images.canonical_url(f"https://{host}/{name}")
        return self.images.sign(url, wall_clock_ms() - ago_ms).removeprefix(f"https://{host}")

    async def get(self, uri: str, method: str = "GET", **headers: str) -> httpx.Response:
        """Returns the response to a browser, which sends the URI unchanged."""
        target = {"target": uri.encode("latin-1"), "sni_hostname": HOST}
        url = f"https://{LOOPBACK}:{self.port}"
        return await self.browser.request(method, url, headers={"Host": HOST, **headers}, extensions=target)

    async def status(self, target: bytes) -> int:
        """Returns the status of a request that no browser would send."""
        reader, writer = await asyncio.open_connection(LOOPBACK, self.port, ssl=self.trusting, server_hostname=HOST)
        writer.write(b"GET " + target + b" HTTP/1.1\r\nHost: images.example.com\r\nConnection: close\r\n\r\n")
        first_line = await reader.readline()
        writer.close()
        return int(first_line.split()[1])

    async def asked(self) -> int:
        """Returns the number of verifications at the API."""
        found = (await self.browser.get(f"{self.deployment.url}/metrics")).text
        return int(sum(map(float, re.findall(r"^plaudit_image_verifications_total\{.*\} (\S+)$", found, re.MULTILINE))))


def documented() -> str:
    """Returns the documented configuration."""
    found = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs" / "build" / "images.md").read_text(), re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def at(text: str, places: dict[str, str]) -> str:
    """Returns the configuration with other paths and ports. Each must occur once."""
    for place, other in places.items():
        assert text.count(place) == 1, place
        text = text.replace(place, other)
    return text


def certify(folder: Path) -> ssl.SSLContext:
    """Writes a certificate and its key into a folder. Returns an SSL context that trusts only this certificate."""
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
    """Starts nginx on a port, in front of an API's. `home` has the certificate, its key, and the images."""
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
        death_signal=signal.SIGTERM,  # nginx then stops its workers
        unprivileged=home,
    )
    return finished(Process.starting(command, lambda _: listens(port), READY_SECONDS))


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0
