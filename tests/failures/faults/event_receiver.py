"""A receiver of webhooks. Run as a program with a port, the secret of the webhook, and a file.

It appends the body of each genuine request to the file, as a line, and accepts the request.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.guide import example


def handler(secret: str, file: int) -> type[BaseHTTPRequestHandler]:
    """Returns what responds to requests. `file` is the descriptor of the file."""
    is_genuine = example("verify").is_genuine

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            genuine = is_genuine(secret, {name.lower(): value for name, value in self.headers.items()}, body)
            if genuine:
                os.write(file, body + b"\n")
            self.send_response(204 if genuine else 401)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    return Receiver


if __name__ == "__main__":
    descriptor = os.open(sys.argv[3], os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler(sys.argv[2], descriptor)).serve_forever()
