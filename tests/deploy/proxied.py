"""Requests to APIs behind a proxy of the kit."""

import ssl

import httpx

from runner.ports import HOST as LOOPBACK
from tests.support.deployment import Deployment

HOST = "plaudit.example.com"
TYPENAME = {"query": "{ __typename }"}


def addresses(deployment: Deployment) -> list[str]:
    return [url.removeprefix("http://") for url in deployment.urls]


def client(port: int, trusting: ssl.SSLContext) -> httpx.AsyncClient:
    async def name(request: httpx.Request) -> None:
        request.extensions["sni_hostname"] = HOST

    return httpx.AsyncClient(
        base_url=f"https://{LOOPBACK}:{port}",
        headers={"Host": f"{HOST}:{port}"},
        verify=trusting,
        trust_env=False,
        timeout=20,
        event_hooks={"request": [name]},
    )
