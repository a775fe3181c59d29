"""A real nginx with the configuration of docs/build/images.md serves signed images and nothing else."""

import re
from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from runner.ports import free_port
from tests.ops.nginx import HOST, ImageSite, configuration
from tests.support import nginx
from tests.support.deployment import deployed
from tests.support.outages import suspend
from tests.support.stores import PARTITIONS
from tests.support.system import System

pytestmark = [pytest.mark.prove, pytest.mark.parametrize("redis_mode", ["standalone"])]

PICTURE = b"not really a picture"
SECRET = b"nothing a browser may see"
DAY_MS = 86_400_000


@pytest_asyncio.fixture
async def site(system: System, tmp_path: Path) -> AsyncIterator[ImageSite]:
    """Starts nginx in front of three images, one of them in a folder, and a secret beside the served folder."""
    home, port = tmp_path / "nginx", free_port()
    (home / "images" / "a b").mkdir(parents=True)
    for picture in ("cat.jpg", "dog.jpg", "a b/cat.jpg"):
        (home / "images" / picture).write_bytes(PICTURE)
    (home / "secret").write_bytes(SECRET)
    trusting = nginx.certify(home, HOST)
    stores = system.settings.database_url, system.settings.redis_url
    with deployed(tmp_path, *stores, partitions=PARTITIONS) as deployment:
        api = deployment.start_api()
        await deployment.ready()
        proxy = nginx.started(home, port, configuration(home, port, deployment.port))
        try:
            async with httpx.AsyncClient(verify=trusting, trust_env=False) as browser:
                yield ImageSite(port, deployment, api, browser, trusting)
        finally:
            proxy.stop()


async def test_signed_images_are_served(site: ImageSite) -> None:
    answers = [await site.get(site.signed(name)) for name in ("cat.jpg", "cat.jpg?w=200", "a%20b/cat.jpg", "%63at.jpg")]
    head = await site.get(site.signed("dog.jpg"), "HEAD")
    part = await site.get(site.signed("dog.jpg"), Range="bytes=4-9")
    missing = await site.get(site.signed("mouse.jpg"))

    assert [(answer.status_code, answer.content) for answer in answers] == [(200, PICTURE)] * 4
    assert (head.status_code, head.content) == (200, b"")
    assert (part.status_code, part.content) == (206, PICTURE[4:10])
    assert missing.status_code == 404


async def test_unsigned_and_expired_urls_are_refused(site: ImageSite) -> None:
    good, other = site.signed(), site.signed("dog.jpg")
    signature = good.partition("?")[2]
    uris = {
        "unsigned": "/cat.jpg",
        "of another image": f"/dog.jpg?{signature}",
        "in a folder": f"/a%20b/cat.jpg?{signature}",
        "with a parent folder in the path": f"/a/../cat.jpg?{signature}",
        "escaped": f"/%63at.jpg?{signature}",
        "more slashes": f"/{good}",
        "more parameters": f"{good}&w=200",
        "other parameters first": good.replace("?", "?w=200&"),
        "twice": f"{good}&{signature}",
        "another expiry": re.sub(r"e=(\d+)", lambda match: f"e={int(match[1]) + 1}", good),
        "expired": site.signed(ago_ms=3 * DAY_MS),
        "valid only later": site.signed(ago_ms=-3 * DAY_MS),
        "of another key": good.replace("k=default", "k=other"),
        "of another's signature": good[: good.index("s=")] + other[other.index("s=") :],
        "verdict": f"/.verdict?{signature}",
        "half an escape": f"/%6?{signature}",
    }

    answers = {why: await site.get(uri) for why, uri in uris.items()}

    assert (await site.get(good)).status_code == 200
    assert {why: answer.status_code for why, answer in answers.items()} == {
        **dict.fromkeys(uris, 403),
        "verdict": 404,
        "half an escape": 400,
    }
    assert not [why for why, answer in answers.items() if PICTURE in answer.content or "expires" in answer.headers]


async def test_requests_that_no_browser_sends_get_no_image(site: ImageSite) -> None:
    good = site.signed().encode()
    targets = [
        b"/\x80\xff" + good,
        good + b"\xff",
        b"/\0" + good,
        b"https://example.com/dog.jpg",
        b"/" * 7000,
        b"/" * 9000,
    ]
    answers = [await site.status(target) for target in (*targets, good, b"https://images.example.com" + good)]

    assert answers == [403, 403, 400, 403, 403, 414, 200, 200]


async def test_a_browser_cannot_set_the_headers_of_the_proxy(site: ImageSite) -> None:
    good = site.signed()
    claims = {"X-Original-URI": good, "X-Original-Host": HOST}

    claimed = await site.get("/dog.jpg", **claims)  # each URL is requested once, so that no verdict is cached
    contradicted = await site.get(good, **{"X-Original-URI": "/dog.jpg", "X-Original-Host": "example.com"})
    misnamed = await site.get(site.signed("dog.jpg"), Host="example.com")

    assert [answer.status_code for answer in (claimed, contradicted, misnamed)] == [403, 200, 200]


async def test_files_beside_the_images_are_not_served(site: ImageSite) -> None:
    signed = site.signed()
    signature = signed.partition("?")[2]

    for path in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "/a%20b/../../secret", "/cat.jpg/../../secret"):
        answer = await site.get(f"{path}?{signature}")
        assert answer.status_code in (400, 403)
        assert SECRET not in answer.content


async def test_the_api_verifies_a_url_once_and_caches_learn_its_expiry(site: ImageSite) -> None:
    good, before = site.signed(), await site.asked()

    answers = [await site.get(good) for _ in range(5)]
    refusals = [await site.get("/cat.jpg") for _ in range(5)]

    assert await site.asked() == before + 2
    assert [answer.status_code for answer in answers + refusals] == [200] * 5 + [403] * 5
    expires = int(good.partition("e=")[2].partition("&")[0])
    assert {parsedate_to_datetime(answer.headers["expires"]).timestamp() for answer in answers} == {expires}


async def test_without_the_api_only_verified_images_are_served(site: ImageSite) -> None:
    known = site.signed()
    assert (await site.get(known)).status_code == 200

    site.api.kill()
    answers = [await site.get(uri) for uri in (known, site.signed("dog.jpg"), "/dog.jpg", "/cat.jpg")]

    assert [answer.status_code for answer in answers] == [200, 500, 500, 500]
    assert [PICTURE in answer.content for answer in answers] == [True, False, False, False]


async def test_no_image_is_served_while_the_api_hangs(site: ImageSite) -> None:
    suspend(site.api)  # the deployment resumes it at its end

    answer = await site.get(site.signed())

    assert (answer.status_code, PICTURE in answer.content) == (500, False)
