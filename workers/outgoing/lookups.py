"""Looks up the addresses of hosts in threads of their own, which do not keep the process alive.

A lookup blocks its thread for as long as the resolver of the system waits. Python waits at exit for the threads of an
executor, so a worker whose lookup hangs could not stop.
"""

import asyncio
import socket
from asyncio import Future
from contextlib import suppress
from threading import Thread


class Lookups:
    """At most `most` lookups at once; further ones wait. The threads of lookups that hang count, also after their
    callers have stopped waiting.
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
