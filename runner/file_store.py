"""The store of uploaded files of `plaudit dev`: as much of the interface of S3 as Plaudit uses, for one bucket whose
files lie in the data directory. Everyone may read them. All other requests need a signature.

| request | effect |
|---|---|
| `PUT /files/<key>` | stores a file; with `If-None-Match: *`, only if there is none with this key |
| `GET /files/<key>` | the file, or the beginning of it with `Range: bytes=0-<last>` |
| `DELETE /files/<key>` | deletes the file |
| `GET /files?list-type=2` | the keys that begin with `prefix`, in their order, after `start-after` |

The store listens on a port of its own on loopback, in the process of `plaudit dev`. No other program of Plaudit has it.
URLs of files contain the port, so it stays the same while no other program takes it.
"""

import hmac
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from domain.file_types import MIME_TYPES
from domain.presigned_urls import Credentials, presigned
from runner.datadir import kept_secret
from runner.files import write_private
from runner.ports import HOST, free_port, is_free

_BUCKET, _USER = "files", "plaudit-dev"
_KEY = re.compile(rf"/{_BUCKET}/([A-Za-z0-9_-]+/[A-Za-z0-9_-]+\.[a-z0-9]+)")
_RANGE = re.compile(r"bytes=0-([0-9]{1,9})")
_MOST_BYTES = 100_000_000


@contextmanager
def storing(data_dir: Path) -> Iterator[str]:
    """Serves the store while the block runs. Yields the value of PLAUDIT_IMAGES with which Plaudit uses it."""
    folder = data_dir / "uploads"
    folder.mkdir(mode=0o700, exist_ok=True)
    secret, port = kept_secret(data_dir / "uploads-secret"), _kept_port(data_dir / "uploads-port")

    class Handler(_Handler):
        files = folder
        credentials = Credentials(_USER, secret, "us-east-1")

    server = ThreadingHTTPServer((HOST, port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://{HOST}:{port}"
    uploads = {"endpoint": url, "bucket": _BUCKET, "public_url": f"{url}/{_BUCKET}"}
    try:
        yield json.dumps({"uploads": {**uploads, "access_key": _USER, "secret_key": secret}})
    finally:
        server.shutdown()
        server.server_close()


def _kept_port(file: Path) -> int:
    """Returns the port in a file, or a free port if there is none or another program has taken it."""
    kept = int(file.read_text()) if file.exists() else 0
    port = kept if kept and is_free(kept) else free_port()
    write_private(file, str(port))
    return port


class _Handler(BaseHTTPRequestHandler):
    files: Path
    credentials: Credentials
    timeout = 30
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Plaudit", ""

    def do_OPTIONS(self) -> None:
        """Lets pages of every origin send files with a signed URL."""
        named = "content-type, if-none-match"
        self._answer(204, headers={"Access-Control-Allow-Methods": "PUT", "Access-Control-Allow-Headers": named})

    def do_PUT(self) -> None:
        """Stores a file."""
        length, file = int(self.headers.get("Content-Length", -1)), self._file()
        if not 0 <= length <= _MOST_BYTES:
            self.close_connection = True
            self._answer(411)
            return
        body = self.rfile.read(length)
        if file is None or not self._is_signed():
            self._answer(403)
            return
        if len(body) < length:  # the client has stopped the upload
            self.close_connection = True
            return
        file.parent.mkdir(exist_ok=True)
        try:
            with file.open("xb" if self.headers.get("If-None-Match") == "*" else "wb") as target:
                target.write(body)
        except FileExistsError:
            self._answer(412)
        else:
            self._answer(200)

    def do_GET(self) -> None:
        """Answers with a file, or with the keys of files."""
        file = self._file()
        if file and file.is_file():
            self._send(file)
        elif file is None and urlsplit(self.path).path == f"/{_BUCKET}":
            self._list()
        else:
            self._answer(404)

    def do_DELETE(self) -> None:
        """Deletes a file. Succeeds if there is none."""
        file = self._file()
        if file is None or not self._is_signed():
            self._answer(403)
            return
        file.unlink(missing_ok=True)
        self._answer(204)

    def _file(self) -> Path | None:
        match = _KEY.fullmatch(urlsplit(self.path).path)
        return self.files / match[1] if match else None

    def _send(self, file: Path) -> None:
        body, status = file.read_bytes(), 200
        headers = {
            "Content-Type": MIME_TYPES.get(file.suffix[1:], "application/octet-stream"),
            "Last-Modified": formatdate(file.stat().st_mtime, usegmt=True),
            "Cache-Control": "public, max-age=86400",
            "Cross-Origin-Resource-Policy": "cross-origin",
            "X-Content-Type-Options": "nosniff",
        }
        if (wanted := _RANGE.fullmatch(self.headers.get("Range", ""))) and body:
            part = body[: int(wanted[1]) + 1]
            headers["Content-Range"] = f"bytes 0-{len(part) - 1}/{len(body)}"
            body, status = part, 206
        self._answer(status, body, headers)

    def _list(self) -> None:
        query = dict(parse_qsl(urlsplit(self.path).query))
        if not self._is_signed():
            self._answer(403)
            return
        keys = sorted(str(file.relative_to(self.files)) for file in self.files.glob("*/*"))
        found = [key for key in keys if key.startswith(query.get("prefix", "")) and key > query.get("start-after", "")]
        page = found[: int(query.get("max-keys", "1000"))]
        listed = "".join(f"<Contents><Key>{key}</Key></Contents>" for key in page)
        is_truncated = str(len(page) < len(found)).lower()
        body = f"<ListBucketResult><IsTruncated>{is_truncated}</IsTruncated>{listed}</ListBucketResult>"
        self._answer(200, body.encode(), {"Content-Type": "application/xml"})

    def _is_signed(self) -> bool:
        """Returns whether the request has the URL that Plaudit signs for it, and the URL has not expired."""
        path, query = urlsplit(self.path).path, dict(parse_qsl(urlsplit(self.path).query))
        try:
            since = datetime.strptime(query["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            seconds, names = int(query["X-Amz-Expires"]), query["X-Amz-SignedHeaders"].split(";")
        except (KeyError, ValueError):
            return False
        headers = {name: self.headers.get(name, "") for name in names if name != "host"}
        own = {name: value for name, value in query.items() if not name.startswith("X-Amz-")}
        url = f"http://{self.headers.get('Host', '')}{path}"
        expected = presigned(self.command, url, self.credentials, since, seconds, headers, own)
        is_fresh = -60 <= (datetime.now(UTC) - since).total_seconds() <= seconds
        return is_fresh and hmac.compare_digest(_signature(expected), query.get("X-Amz-Signature", ""))

    def _answer(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Access-Control-Allow-Origin": "*"}.items():
            self.send_header(name, value)
        if status != 204:  # such an answer has no body
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *_: Any) -> None:  # noqa: A002 - the name in the base class
        """Writes nothing."""


def _signature(url: str) -> str:
    return dict(parse_qsl(urlsplit(url).query))["X-Amz-Signature"]
