"""Requests about uploads of files."""

import struct
import zlib
from typing import Any

import httpx

from tests.support.system import Person

CREATE = """mutation ($type: String!, $size: Int!) { createUpload(input: {mimeType: $type, byteSize: $size}) {
  upload { url headers { name value } fileUrl expiresAt } userErrors { code field } } }"""
PUBLISH = """mutation ($files: [AttachmentInput!]!, $key: String!) {
  publishPost(input: {text: "look", attachments: $files, idempotencyKey: $key}) {
    post { id attachments { url kind } } userErrors { code field } } }"""
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


async def create(person: Person, mime_type: str = "image/png", size: int = len(PNG)) -> Any:
    """Returns the payload of createUpload."""
    return (await person.ask(CREATE, type=mime_type, size=size))["createUpload"]


async def send(upload: Any, body: bytes, **headers: str) -> int:
    """Sends a file as a client does. Returns the status of the answer."""
    named = {one["name"]: one["value"] for one in upload["headers"]} | headers
    async with httpx.AsyncClient() as client:
        return (await client.put(upload["url"], content=body, headers=named)).status_code


async def uploaded(person: Person, body: bytes = PNG, mime_type: str = "image/png") -> str:
    """Uploads a file. Returns its URL."""
    upload = (await create(person, mime_type, len(body)))["upload"]
    assert await send(upload, body) == 200
    return str(upload["fileUrl"])


async def publish(person: Person, *urls: str, kind: str = "IMAGE", key: str = "k", **more: str) -> Any:
    """Returns the payload of publishPost."""
    files = [{"url": url, "kind": kind, **more} for url in urls]
    return (await person.ask(PUBLISH, files=files, key=key))["publishPost"]


def red(width: int, height: int) -> bytes:
    """Returns a red picture as PNG."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    pixels = zlib.compress((b"\0" + b"\xff\0\0" * width) * height)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
