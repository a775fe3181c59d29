"""A whole pipeline on one connection of redis-py's: commands in, one write, their answers as the server sent them.

redis-py connects, signs in, and finds masters; its own pipelines cost several times what they carry, in timers, tasks
and records for each command.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

import hiredis
from redis import asyncio as redis_asyncio
from redis import exceptions
from redis._parsers.base import AsyncBaseParser

Command = tuple[Any, ...]


class Exchanging(redis_asyncio.Connection):
    """Goes before the class of connection that an address asks for: see `exchanging`."""

    def pack_command(self, *args: Any) -> list[bytes]:
        """In C, as redis-py's blocking connections do."""
        name, *rest = args
        return [hiredis.pack_command((*name.split(), *rest))]  # redis-py has names of two words, such as CLIENT SETINFO

    async def exchange(self, commands: Iterable[Command]) -> list[Any]:
        """The raw answer of each command, errors of single commands among them.

        Raises redis-py's TimeoutError or ConnectionError. The connection is closed then, and nobody knows what was
        done.
        """
        writer, parser = self._writer, self._parser
        assert writer is not None
        assert isinstance(parser, AsyncBaseParser)
        packed = [hiredis.pack_command(command) for command in commands]
        try:
            async with asyncio.timeout(self.socket_timeout):
                writer.write(b"".join(packed))
                await writer.drain()
                answers = [await parser.read_response(disable_decoding=True) for _ in packed]
        except TimeoutError as error:
            await self.disconnect(nowait=True)
            raise exceptions.TimeoutError("Timeout while waiting for answers") from error
        except OSError as error:
            await self.disconnect(nowait=True)
            raise exceptions.ConnectionError(f"The connection broke: {error}") from error
        except BaseException:
            await self.disconnect(nowait=True)
            raise
        if any(isinstance(answer, exceptions.ReadOnlyError) for answer in answers):
            await self.disconnect(nowait=True)  # a master no longer: connecting again finds out who is
        return answers


async def exchange(pool: redis_asyncio.ConnectionPool, commands: Iterable[Command]) -> list[Any]:
    """The same, on a connection of a pool."""
    connection = await pool.get_connection()  # type: ignore[no-untyped-call]
    try:
        answers: list[Any] = await connection.exchange(commands)
        return answers
    finally:
        await pool.release(connection)


def exchanging(pool: redis_asyncio.ConnectionPool) -> redis_asyncio.ConnectionPool:
    """A pool whose connections, whatever their class, can `exchange`."""
    of = pool.connection_class
    pool.connection_class = type(f"Exchanging{of.__name__}", (Exchanging, of), {})
    return pool
