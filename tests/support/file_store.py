"""A SeaweedFS server, which stores files behind the interface of S3 and verifies signatures, on loopback."""

import json
import re
import shutil
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from domain.presigned_urls import Credentials, presigned
from runner.files import write_private
from runner.ports import HOST, free_port, starting_on_port
from runner.process import Command, Process
from runner.server import Server
from runner.waiting import Steps, in_background
from settings import UploadSettings

BUCKET = "plaudit"
CREDENTIALS = Credentials("an-access-key", "a-secret-of-the-store", "us-east-1")
READER, WRITER = "a-key-that-reads", "a-key-that-writes"
"""Access keys with fewer rights, and the secret of CREDENTIALS."""
START_SECONDS = 60
_PATH = [str(Path(sys.executable).parent)]
WEED = shutil.which("weed", path=_PATH[0]) or shutil.which("weed")
needs_file_store = pytest.mark.skipif(WEED is None, reason="the program `weed` of SeaweedFS is not installed")


class FileStore(Server):
    """A SeaweedFS server with a bucket that everyone may read."""

    name = "file-store"

    def __init__(self, data_dir: Path) -> None:
        super().__init__(data_dir, None)

    @property
    def url(self) -> str:
        """Returns the URL of the S3 interface."""
        return f"http://{HOST}:{self.port}"

    def settings(self, **changes: Any) -> UploadSettings:
        """Returns the settings of uploads to this store."""
        return UploadSettings(
            endpoint=self.url,
            bucket=BUCKET,
            access_key=CREDENTIALS.access_key,
            secret_key=SecretStr(CREDENTIALS.secret_key),
            public_url=f"{self.url}/{BUCKET}",
            **changes,
        )

    def stop(self) -> None:
        """Kills the server. It would wait ten seconds for its own parts."""
        self.kill()

    def starting(self) -> Steps[None]:
        """Starts the server, and makes the bucket. Raises RunnerError if that fails."""
        if self.running:
            return
        self.data_dir.mkdir(parents=True, exist_ok=True)
        self._process, self._port = yield from starting_on_port(self._launch, self._port)

    def _launch(self, port: int) -> Steps[Process]:
        answers = in_background(lambda: _has_bucket(port))
        return (
            yield from Process.starting(
                Command(argv=self._argv(port), log=self.log), lambda _: answers(), START_SECONDS
            )
        )

    def _argv(self, port: int) -> tuple[str, ...]:
        rights = {
            CREDENTIALS.access_key: ["Admin", "Read", "Write", "List"],
            READER: ["Read", "List"],
            WRITER: ["Write"],
        }
        identities: list[dict[str, Any]] = [{"name": "anonymous", "actions": ["Read"]}]
        for key, actions in rights.items():
            secret = {"accessKey": key, "secretKey": CREDENTIALS.secret_key}
            identities.append({"name": key, "credentials": [secret], "actions": actions})
        config = self.data_dir / "s3.json"
        write_private(config, json.dumps({"identities": identities}))
        ports = [
            f"-{name}={free_port()}"
            for part in ("master", "volume", "filer")
            for name in (f"{part}.port", f"{part}.port.grpc")
        ]
        return (
            str(WEED),
            "server",
            f"-dir={self.data_dir}",
            f"-ip={HOST}",
            f"-ip.bind={HOST}",
            "-master.telemetry=false",
            "-master.volumeSizeLimitMB=64",
            "-volume.max=20",
            "-s3",
            f"-s3.port={port}",
            f"-s3.port.grpc={free_port()}",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            f"-s3.config={config}",
            *ports,
        )


def put(url: str) -> None:
    """Stores a file as the operator may do it."""
    httpx.put(presigned("PUT", url, CREDENTIALS, datetime.now(UTC), 60, {}), content=b"x").raise_for_status()


def listed(store: FileStore, prefix: str) -> list[str]:
    """Returns the keys of the files in the store that begin with a prefix."""
    query = {"list-type": "2", "prefix": prefix}
    answer = httpx.get(presigned("GET", f"{store.url}/{BUCKET}", CREDENTIALS, datetime.now(UTC), 60, {}, query))
    return re.findall("<Key>([^<]*)</Key>", answer.raise_for_status().text)


def _has_bucket(port: int) -> bool:
    """Makes the bucket, and returns whether it exists and takes files."""
    url = f"http://{HOST}:{port}/{BUCKET}"
    with suppress(httpx.HTTPError):
        for path in ("", "/probe"):
            answer = httpx.put(presigned("PUT", f"{url}{path}", CREDENTIALS, datetime.now(UTC), 60, {}), timeout=5)
            if answer.status_code not in (200, 409):
                return False
        return True
    return False
