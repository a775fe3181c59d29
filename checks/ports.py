"""Checks that this process can listen on its ports."""

import socket
from collections.abc import Iterable

from checks.findings import Misconfigured
from settings import Settings


def refuse_taken_ports(settings: Settings, ports: Iterable[tuple[str, int | None]]) -> None:
    """Raises Misconfigured if this process cannot listen on one of `ports`, which are pairs of the name of a setting
    and its port. Port 0 stands for any free port, and None for no port.
    """
    for name, port in ports:
        if port is not None and (why := _refusal(settings.host, port)):
            raise Misconfigured(f"{name}: cannot listen on port {port} of {settings.host}: {why}")


def _refusal(host: str, port: int) -> str | None:
    """Returns the reason why no server can listen on `port` of the address `host`; None if one can."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return error.strerror
    return None
