"""An identity provider on loopback: it publishes its keys and signs tokens."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

KEYS: dict[str, Any] = {
    "RS256": rsa.generate_private_key(65537, 2048),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}


class IdentityProvider:
    """Serves a key set that tests change, and counts how often it was fetched."""

    def __init__(self) -> None:
        self.answer: tuple[int, bytes] = (200, b'{"keys": []}')
        self.fetched = 0
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.fetched += 1
                status, body = provider.answer
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/keys"

    def publish(self, **keys: str) -> None:
        """Publishes exactly these keys, by key id. Each key's name is its algorithm."""
        published = [self._public(algorithm) | {"kid": kid, "use": "sig"} for kid, algorithm in keys.items()]
        self.answer = 200, json.dumps({"keys": published}).encode()

    @staticmethod
    def _public(algorithm: str) -> dict[str, Any]:
        jwk = jwt.get_algorithm_by_name(algorithm).to_jwk(KEYS[algorithm].public_key(), as_dict=True)
        return dict(jwk) | {"alg": algorithm}


@contextmanager
def serving() -> Iterator[IdentityProvider]:
    """Runs a provider that has no keys yet."""
    provider = IdentityProvider()
    thread = threading.Thread(target=provider.server.serve_forever, args=(0.01,))
    thread.start()
    yield provider
    provider.server.shutdown()
    provider.server.server_close()
    thread.join()
