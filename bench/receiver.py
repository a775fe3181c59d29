"""A receiver of webhooks for the section `outgoing`. The request `GET /hangs`, for example, lets it hang
from then on.
"""

import asyncio
import random
from contextlib import suppress

from runner.ports import HOST
from settings import Settings

_ACCEPTED = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
_ANSWERS = {
    "accepts": _ACCEPTED,
    "hangs": b"",
    "answers garbage": random.randbytes(200) + b"\r\n\r\n",
    "redirects": b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
}
"""The kinds of behaviour of the receiver, each with the HTTP response that it sends."""
DOES = tuple(_ANSWERS)


class Receiver:
    """An HTTP server that reads requests and ignores the events in them."""

    def __init__(self) -> None:
        self._does = DOES[0]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection until it is closed."""
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                if head.startswith(b"get /"):
                    name = head.split()[1][1:].decode().replace("-", " ")
                    self._does = name if name in _ANSWERS else self._does
                    writer.write(_ACCEPTED)
                    continue
                await reader.readexactly(int(head.partition(b"content-length:")[2].partition(b"\r\n")[0]))
                writer.write(_ANSWERS[self._does])
        writer.close()


async def main() -> None:
    """Serves until the process is stopped."""
    server = await asyncio.start_server(Receiver().serve, HOST, Settings().port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
