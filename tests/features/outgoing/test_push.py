"""The program of the guide that sends Web Push messages. A push service on a local port checks and decrypts them."""

import asyncio
import base64
import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import http_ece
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from pywebpush import WebPushException

from tests.support.guide import FOLDER, example
from tests.support.notifications import liked_posts, mark, page, people, post_of
from tests.support.outgoing import received, send_all, to_stream
from tests.support.stores import standalone
from tests.support.system import System

ADDRESS, SECRET = "mailto:ops@example.com", b"sixteen bytes!!!"
KINDS = "notification.created", "notification.read"
SET_LANGUAGE = 'mutation { setLanguage(input: {language: "zh"}) { viewer { language } } }'
READ_ONE = """mutation ($id: ID!) { markNotificationRead(input: {notificationId: $id}) { userErrors { code } } }"""


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def public(key: ec.EllipticCurvePrivateKey) -> str:
    return base64url(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


class PushService:
    """A push service. It has the keys of one browser, and keeps the topics and the contents of its messages."""

    def __init__(self, folder: Path) -> None:
        self.sender = ec.generate_private_key(ec.SECP256R1())
        self.browser = ec.generate_private_key(ec.SECP256R1())
        self.key_file = folder / "vapid.pem"
        pem = self.sender.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self.key_file.write_bytes(pem)
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.receive({name.lower(): value for name, value in self.headers.items()}, body)
                self.send_response(service.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Writes nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def subscription(self) -> dict[str, Any]:
        keys = {"p256dh": public(self.browser), "auth": base64url(SECRET)}
        return {"endpoint": f"{self.url}/push/1", "keys": keys}

    def receive(self, headers: dict[str, str], body: bytes) -> None:
        """Keeps a message. Raises an exception, so that the sender gets no answer, if it is not signed or encrypted."""
        scheme, _, values = headers["authorization"].partition(" ")
        given = dict(one.strip().split("=", 1) for one in values.split(","))
        assert (scheme, given["k"]) == ("vapid", public(self.sender))
        assert jwt.decode(given["t"], self.sender.public_key(), ["ES256"], audience=self.url)["sub"] == ADDRESS
        assert headers["content-encoding"] == "aes128gcm"
        plain = http_ece.decrypt(body, private_key=self.browser, auth_secret=SECRET)
        if self.status == 201:
            self.messages.append((headers["topic"], json.loads(plain)))


@pytest.fixture
def sender(service: PushService, tmp_path: Path) -> Iterator[Any]:
    """Returns the sender of the guide."""
    one = example("push").PushSender(str(tmp_path / "messages"), str(service.key_file), ADDRESS)
    yield one
    one.sqlite.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    one = PushService(tmp_path)
    thread = Thread(target=one.server.serve_forever)
    thread.start()
    yield one
    one.server.shutdown()
    thread.join()
    one.server.server_close()


def message(text: str, badge: int, lang: str = "zh-Hans") -> dict[str, Any]:
    return {"title": text, "lang": lang, "badge": badge}


@standalone
async def test_messages_are_encrypted_for_the_browser_and_signed_by_the_sender(
    system: System, service: PushService, sender: Any
) -> None:
    await to_stream(system, *KINDS)
    alice, bob = await people(system, "alice", "bob")
    await alice.ask(SET_LANGUAGE)
    await liked_posts(system, alice, bob, 3)
    shown = await page(alice)
    one, two, three = events = await received(system)
    sender.subscribe(await alice.id(), service.subscription)

    for place, event in enumerate((*events, one)):  # at least once
        sender.apply(event, str(place))
    sender.send()

    topics = [event["data"]["collapseKey"] for event in events]
    expected = sorted((topic, message("bob 赞了你的帖子。", 3)) for topic in topics)
    assert sorted(service.messages, key=str) == sorted(expected, key=str)
    service.messages.clear()

    service.status = 503
    quiet = {**two["data"], "quietUntil": "2100-01-01T00:00:00Z"}
    for event in (one, {**two, "data": quiet}, three):
        sender.apply(event, "4")
    with pytest.raises(WebPushException):
        sender.send()
    service.status = 201
    await alice.ask(READ_ONE, id=shown.nodes[0]["id"])  # the notification of the third event
    for event in (await received(system))[3:]:
        sender.apply(event, "5")
    sender.send()
    assert service.messages == [(topics[0], message("bob 赞了你的帖子。", 3))]

    service.messages.clear()
    sender.apply({**two, "data": {**quiet, "quietUntil": "2020-01-01T00:00:00Z"}}, "6")
    await mark(alice, shown.cursors[1])
    for event in (await received(system))[4:]:
        sender.apply(event, "7")
    sender.send()
    assert service.messages == []

    service.status = 410
    sender.apply(three, "8")
    sender.send()
    assert sender.sqlite.execute("SELECT count(*) FROM subscriptions").fetchone() == (0,)


@standalone
async def test_the_program_goes_on_after_a_restart(
    system: System, service: PushService, sender: Any, tmp_path: Path
) -> None:
    await to_stream(system, *KINDS)
    alice, bob = await people(system, "alice", "bob")
    file = str(tmp_path / "messages")
    sender.subscribe(await alice.id(), service.subscription)
    url = system.settings.redis_url
    command = sys.executable, str(FOLDER / "push.py"), url, "stream", file, str(service.key_file), ADDRESS
    for count, text in enumerate(("one", "two"), 1):
        await bob.like(await post_of(system, alice, text))
        await system.drain()
        await send_all(system)
        program = await asyncio.create_subprocess_exec(*command)
        try:
            async with asyncio.timeout(60):
                # A program that is killed between the message and its deletion sends the message twice.
                while len(service.messages) < count or sender.sqlite.execute("SELECT 1 FROM messages").fetchone():
                    await asyncio.sleep(0.05)
        finally:
            program.kill()
            await program.wait()
    assert [content["title"] for _, content in service.messages] == ["bob liked your post."] * 2
