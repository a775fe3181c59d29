"""WebSocket connections: limits of frames and messages, and of the time that a client may take to read."""

import time
from typing import Any

from websockets import CloseCode

from api.transports.connections import CLOSE, UVICORN_LOG, encode_error
from dependencies.uvicorn import WebSocketProtocol
from domain.errors import NotServed

MOST_MESSAGE_BYTES = 100_000
"""The most bytes of a WebSocket message. By default, a document has at most 10,000 characters; the variables of a
subscription have at most 16,384 bytes.
"""
_FRAMES = 1000
"""WebSocket frames (messages, pings and pongs) that a client may send in a burst."""
_FRAMES_PER_SECOND = 100.0
"""WebSocket frames per second that a client may send on average."""
_SLICE = 1024
"""Bytes that are parsed between two counts of frames."""
GONE_AFTER = 5.0
"""Seconds that a client has to read why its connection is closed."""
_NO_HANDSHAKE = NotServed("This does not open a WebSocket.", 400)


class WebSocketConnection(WebSocketProtocol):
    """A WebSocket connection that is closed if the client does not read, or sends too many frames. Parsing a frame
    takes CPU time, however small the frame is.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = self.conn.logger = UVICORN_LOG
        self._frames_left = float(_FRAMES)
        self._counted_at = time.monotonic()
        self.default_headers = [header for header in self.default_headers if header != CLOSE]  # the library adds it

    def data_received(self, data: bytes) -> None:
        """Passes data to the parser in slices. Refuses a handshake that is not HTTP, because uvicorn would never close
        such a connection.
        """
        if not self.handshake_initiated:  # the first data is the whole request head
            super().data_received(data)
            if not self.handshake_initiated:
                self.transport.write(encode_error(_NO_HANDSHAKE, [*self.default_headers, CLOSE]))
                self.transport.close()
            return
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])

    def handle_events(self) -> None:
        """Counts the received frames, and closes the connection if the client has sent too many."""
        now = time.monotonic()
        refilled = self._frames_left + (now - self._counted_at) * _FRAMES_PER_SECOND
        self._frames_left, self._counted_at = min(_FRAMES, refilled) - len(self.conn.events), now
        super().handle_events()
        if self._frames_left < 0 and not self.transport.is_closing():
            self.conn.fail(CloseCode.POLICY_VIOLATION, "Too many frames")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
            self.loop.call_later(GONE_AFTER, self._abort)

    async def send(self, message: Any) -> None:
        """Sends an ASGI message. A close message is sent even if the client has not read earlier messages."""
        if message["type"] == "websocket.close":
            self.writable.set()
            self.loop.call_later(GONE_AFTER, self._abort)
        await super().send(message)

    def _abort(self) -> None:
        self.transport.abort()
