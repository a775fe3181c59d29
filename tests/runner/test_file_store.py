"""The store of uploaded files of `plaudit dev`, as Plaudit and browsers use it."""

import json
import socket
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio

from domain.presigned_urls import Credentials, presigned
from runner.file_store import storing
from settings import UploadSettings
from store.uploads import UploadStore

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


def now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[UploadSettings]:
    with storing(tmp_path) as value:
        yield UploadSettings(**json.loads(value)["uploads"])


@pytest_asyncio.fixture
async def store(settings: UploadSettings) -> AsyncIterator[UploadStore]:
    store = UploadStore(settings)
    yield store
    await store.close()


def upload(store: UploadStore, body: bytes = PNG) -> tuple[str, int]:
    """Uploads a picture as user 7. Returns the URL of the file and the status of the answer."""
    _, row = store.upload(7, "image/png", len(body), now_ms())
    return row.file_url, httpx.put(row.url, content=body, headers=dict(row.headers)).status_code


async def test_the_store_has_all_rights_that_plaudit_check_tries(store: UploadStore) -> None:
    assert await store.probe(now_ms()) == {"write": 200, "overwrite": 412, "read": 200, "delete": 204, "list": 200}


async def test_a_file_is_stored_once_read_listed_and_deleted(store: UploadStore, tmp_path: Path) -> None:
    key, row = store.upload(7, "image/png", len(PNG), now_ms())
    statuses = [httpx.put(row.url, content=PNG, headers=dict(row.headers)).status_code for _ in range(2)]
    stored = await store.stored(key, now_ms())
    shown = httpx.get(row.file_url)

    assert statuses == [200, 412]
    assert stored
    assert (stored.size, stored.mime_type, stored.beginning) == (len(PNG), "image/png", PNG[:32])
    assert abs(stored.uploaded_ms - now_ms()) < 60_000
    assert (shown.content, shown.headers["x-content-type-options"]) == (PNG, "nosniff")
    assert [one.text for one in (await store.page(7, "", now_ms())).files] == [key.text]
    assert (await store.page(8, "", now_ms())).files == []

    await store.delete([key, key], now_ms())

    assert httpx.get(row.file_url).status_code == 404
    assert await store.stored(key, now_ms()) is None
    assert [*tmp_path.glob("uploads/*/*")] == []


async def test_many_files_are_listed_page_by_page(store: UploadStore) -> None:
    urls = sorted(upload(store)[0] for _ in range(60))
    first = await store.page(7, "", now_ms())
    assert first.last
    second = await store.page(7, first.last, now_ms())

    assert [store.url_of(key) for key in (*first.files, *second.files)] == urls
    assert (len(first.files), second.last) == (50, None)


def test_a_request_without_a_valid_signature_changes_nothing(settings: UploadSettings, tmp_path: Path) -> None:
    url = f"{settings.endpoint}/files/7/{'a' * 22}.png"
    own = Credentials(settings.access_key, settings.secret_key.get_secret_value(), settings.region)
    late = presigned("PUT", url, own, datetime.now(UTC) - timedelta(hours=1), 60, {})
    other = presigned("PUT", url, own._replace(secret_key="x" * 20), datetime.now(UTC), 60, {})
    get = presigned("GET", url, own, datetime.now(UTC), 60, {})
    typed = presigned("PUT", url, own, datetime.now(UTC), 60, {"content-type": "image/png"})
    outside = presigned("PUT", f"{settings.endpoint}/files/../secret.txt", own, datetime.now(UTC), 60, {})
    statuses = [httpx.put(one, content=b"x").status_code for one in (url, late, other, get, typed)]

    assert statuses == [403] * 5
    assert httpx.put(outside, content=b"x").status_code == 403
    assert httpx.delete(url).status_code == 403
    assert httpx.get(f"{settings.endpoint}/files?list-type=2").status_code == 403
    assert [*tmp_path.glob("uploads/*")] == []


async def test_an_upload_that_the_client_stops_stores_nothing(store: UploadStore, tmp_path: Path) -> None:
    _, row = store.upload(7, "image/png", len(PNG), now_ms())
    to = urlsplit(row.url)
    headers = "".join(f"{name}: {value}\r\n" for name, value in {**dict(row.headers), "Host": to.netloc}.items())
    request = f"PUT {to.path}?{to.query} HTTP/1.1\r\n{headers}Content-Length: {len(PNG)}\r\n\r\n"
    with socket.create_connection((to.hostname, to.port), timeout=10) as connection:
        connection.sendall(request.encode() + PNG[:40])
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(1000)

    assert answer == b""
    assert [*tmp_path.glob("uploads/*/*")] == []
    assert httpx.put(row.url, content=PNG, headers=dict(row.headers)).status_code == 200


def test_pages_of_another_origin_may_send_files(settings: UploadSettings) -> None:
    asked = {"Origin": "http://localhost:8000", "Access-Control-Request-Method": "PUT"}
    answer = httpx.request("OPTIONS", f"{settings.endpoint}/files/7/x.png", headers=asked)

    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "PUT"


def test_the_address_and_the_key_stay_the_same_after_a_restart(tmp_path: Path) -> None:
    with storing(tmp_path) as first:
        pass
    with storing(tmp_path) as second:
        assert second == first
        with storing(tmp_path) as third:  # the port is taken
            assert third != second
