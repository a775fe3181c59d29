"""A real nginx with the configuration of docs/build/images.md, in front of a folder of images and a real API."""

import asyncio
import re
import ssl
from dataclasses import dataclass
from pathlib import Path

import httpx

from domain.ids import wall_clock_ms
from domain.images.signed_urls import Images
from runner.ports import HOST as LOOPBACK
from runner.process import Process
from tests.support.deployment import ROOT, Deployment
from tests.support.nginx import at

HOST = "images.example.com"


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


def configuration(home: Path, port: int, api_port: int) -> str:
    """Returns the documented configuration for a port, in front of an API's. `home` has certificate, key and images."""
    return at(
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
