"""Addresses of the hosts of webhooks: looks them up in DNS, and refuses those that are not public.

Lookups run in threads of their own, which do not keep the process alive. A lookup blocks its thread for as long as the
resolver of the system waits. Python waits at exit for the threads of an executor, so a worker whose lookup hangs could
not stop.
"""

import asyncio
import socket
from asyncio import Future
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Thread

from workers.outgoing.failures import DeliveryFailed

_TRANSLATED = IPv6Network("64:ff9b::/96")
"""The addresses by which IPv6 hosts reach IPv4 hosts (RFC 6052)."""


class Lookups:
    """Looks up hosts, at most `most` at once; further lookups wait. A thread that hangs counts until it ends, also
    after its caller has stopped waiting.
    """

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)

    async def addresses(self, host: str, port: int) -> list[str]:
        """Returns the addresses of a host. Raises OSError or UnicodeError if it has none."""
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        found: Future[list[str]] = loop.create_future()

        def look_up() -> None:
            result: list[str] | Exception
            try:
                result = _look_up(host, port)
            except Exception as error:  # noqa: BLE001 (the caller gets every error)
                result = error
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._done, found, result)

        try:
            Thread(target=look_up, name="lookup", daemon=True).start()
        except RuntimeError as error:  # the system has no more threads
            self._free.release()
            raise OSError(str(error)) from error
        return await found

    def _done(self, found: Future[list[str]], result: list[str] | Exception) -> None:
        self._free.release()
        if found.done():  # its caller has stopped waiting
            return
        if isinstance(result, Exception):
            found.set_exception(result)
        else:
            found.set_result(result)


def _look_up(host: str, port: int) -> list[str]:
    return [str(sockaddr[0]) for *_, sockaddr in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


async def resolve(lookups: Lookups, host: str, port: int, *, private: bool) -> str:
    """Returns an address of a host. Raises DeliveryFailed if the host has none, or if one of its addresses is not
    public and `private` is false.
    """
    try:
        addresses = await lookups.addresses(host, port)
    except (OSError, UnicodeError) as error:
        raise DeliveryFailed("unresolved", str(error)) from error
    if not private and not all(map(is_public, addresses)):
        raise DeliveryFailed("private address", f"{host} has an address that is not public")
    return addresses[0]


def is_public(address: str) -> bool:
    """Returns whether an address belongs to the public internet: not loopback, private, link-local, multicast or
    reserved. An IPv4 address in IPv6 form counts as the IPv4 address.
    """
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if inner or parsed in _TRANSLATED:
            return is_public(str(inner or IPv4Address(int(parsed) & 0xFFFF_FFFF)))
        if parsed.is_site_local:
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved
