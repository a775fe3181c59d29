"""The payload of `connection_init` says which app the client is, because browsers cannot set headers of a WebSocket."""

import pytest

from api.headers import client_of
from api.transports.websocket import merged_headers


@pytest.mark.parametrize("prefix", ["apollographql", "graphql", "x-graphql"])
def test_the_payload_can_name_the_client_and_its_version(prefix: str) -> None:
    payload = {f"{prefix}-client-name": "ios", f"{prefix}-client-version": "4.2.0"}

    client = client_of(merged_headers([], payload), "203.0.113.7", None)

    assert (client.name, client.version) == ("ios", "4.2.0")
