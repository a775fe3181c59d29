"""The form for notices, over real HTTP: what it shows, what it stores, and what it refuses."""

import asyncio
import html
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
import pytest_asyncio

from api.notice_page import _CHINESE, _ENGLISH
from settings import LimitSettings, NoticeSettings, Rate, Settings
from tests.support import notices
from tests.support.report_scene import Scene
from tests.support.stores import standalone
from tests.support.subscriptions import serving
from tests.support.system import BUSY, LENIENT, System, running

TOKEN = re.compile(r'name="token" value="([^"]*)"')
NUMBER = re.compile(r"<code>([A-Z2-7]{29})</code>")
EVIL = """"><script>alert('x')</script>&amp;<b>"""
FORM = {
    "law": "Law A",
    "explanation": "It is\r\nillegal.",
    "name": "Nora",
    "email": "nora@example.org",
    "good_faith": "1",
}


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system that serves the form."""
    moderation = LENIENT.model_copy(update={"notices": NoticeSettings(form=True)})
    async with running(make_settings(moderation=moderation)) as one:
        yield one


def browser(system: System, **headers: str) -> httpx.AsyncClient:
    """Returns a browser with a cookie jar of its own."""
    transport = httpx.ASGITransport(app=system.app, client=("203.0.113.7", 4711))
    return httpx.AsyncClient(transport=transport, base_url="http://plaudit.test", headers=headers, timeout=30)


async def opened(client: httpx.AsyncClient, **query: str) -> str:
    """Opens the form. Returns its token."""
    page = await client.get("/notice", params=query)
    assert page.status_code == 200
    return token_of(page)


def token_of(page: httpx.Response) -> str:
    (token,) = TOKEN.findall(page.text)
    return str(token)


async def test_the_form_sends_a_notice_and_shows_its_number(system: System) -> None:
    scene = await Scene(system).made()
    async with browser(system) as client:
        page = await client.get("/notice", params={"target": scene.post})
        assert f'value="{scene.post}"' in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert not re.search(r"<script|<link|<img|\ssrc=|\son\w+=", page.text)
        assert "HttpOnly" in page.headers["set-cookie"]
        assert "SameSite=strict" in page.headers["set-cookie"]
        sent = {**FORM, "target": scene.post, "token": token_of(page)}
        receipt = await client.post("/notice", data=sent)
        assert receipt.status_code == 200
        (number,) = NUMBER.findall(receipt.text)
        again = await client.post("/notice", data=sent)
        assert NUMBER.findall(again.text) == [number]
    await system.drain()

    ((target, case),) = (await notices.queue(scene.moderator)).items()
    assert target == scene.post
    assert [(one["law"], one["explanation"], one["email"]) for one in case["notices"]] == [
        ("Law A", "It is\nillegal.", "nora@example.org")
    ]
    assert (await notices.status(system.person(None), number))["state"] == "OPEN"


async def test_the_form_works_over_a_real_connection(make_settings: Callable[..., Settings]) -> None:
    moderation = LENIENT.model_copy(update={"notices": NoticeSettings(form=True)})
    async with serving(make_settings(port=0, moderation=moderation)) as live:
        user = await live.person("alice").id()
        async with httpx.AsyncClient(base_url=f"http://{live.address}", timeout=30) as client:
            page = await client.get("/notice", params={"target": user})
            sent = {**FORM, "target": user, "token": token_of(page)}
            receipt = await client.post("/notice", data=sent)
            assert (page.status_code, receipt.status_code) == (200, 200)
            assert NUMBER.search(receipt.text)


async def test_html_in_every_field_is_escaped(system: System) -> None:
    async with browser(system) as client:
        names = "target", "law", "explanation", "name", "email", "proof"
        for page in (
            await client.get("/notice", params=dict.fromkeys(names, EVIL)),
            await client.post("/notice", data={**dict.fromkeys(names, EVIL), "token": EVIL}),
            await client.post(
                "/notice", data={**dict.fromkeys(names, EVIL), "token": await opened(client), "good_faith": "1"}
            ),
        ):
            assert page.text.count(html.escape(EVIL)) == len(names)
            assert "<script" not in page.text
            assert "<b>" not in page.text


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"law": ""}, "law"),
        ({"explanation": ""}, "explanation"),
        ({"name": ""}, "name"),
        ({"email": "nora"}, "email"),
        ({"good_faith": ""}, "good_faith"),
        ({"target": "Post:1"}, "target"),
        ({"target": ""}, "target"),
        ({"target": "'; DROP TABLE notices"}, "target"),
    ],
)
async def test_the_form_shows_what_is_wrong_and_can_be_sent_again(
    system: System, changes: dict[str, str], field: str
) -> None:
    scene = await Scene(system).made()
    async with browser(system) as client:
        right = {**FORM, "target": scene.post}
        page = await client.post("/notice", data={**right, "token": await opened(client), **changes})
        assert page.status_code == 422
        assert f'id="{field}-error"' in page.text
        assert page.text.count("-error") == (
            2 if field != "good_faith" else 1
        )  # the message, and the field's reference
        assert await system.rows("SELECT 1 FROM notices") == []

        again = await client.post("/notice", data={**right, "token": token_of(page)})
        assert NUMBER.search(again.text)


async def test_other_sites_and_old_forms_send_nothing(system: System) -> None:
    scene = await Scene(system).made()
    async with browser(system) as client, browser(system) as victim:
        token, form = await opened(client), {**FORM, "target": scene.post}
        await opened(victim)
        for sender, given in ((victim, token), (client, ""), (client, token + "A"), (client, "\u0130")):
            page = await sender.post("/notice", data={**form, "token": given})
            assert page.status_code == 403
            assert html.escape(_ENGLISH["expired"]) in page.text
        for body, content_type, status in (
            (b"{}", "application/json", 415),
            (b"token=%ff", "application/x-www-form-urlencoded", 400),
            (b"a=1&" * 100, "application/x-www-form-urlencoded", 400),
            (b"law=" + b"x" * 70_000, "application/x-www-form-urlencoded", 413),
        ):
            page = await client.post("/notice", content=body, headers={"content-type": content_type})
            assert page.status_code == status
            assert html.escape(_ENGLISH["bad"]) in page.text
        assert (await client.put("/notice")).status_code == 405
        assert (await client.get("/notice?target=%ff")).status_code == 200
    await system.drain()

    assert await system.rows("SELECT 1 FROM notices") == []


async def test_a_form_can_be_sent_for_two_hours(system: System) -> None:
    scene = await Scene(system).made()
    async with browser(system) as client:
        await opened(client)
        cookie, now_ms = client.cookies["plaudit_notice"], system.state.now_ms()
        for minutes, status in ((121, 403), (-1, 403), (119, 200)):
            token = system.state.cursors.seal("notice form", now_ms - minutes * 60_000, int(cookie), 1)
            client.cookies.set("plaudit_notice", cookie, "plaudit.test", "/notice")
            page = await client.post("/notice", data={**FORM, "target": scene.post, "token": token})
            assert page.status_code == status


async def test_the_form_speaks_chinese_and_english(system: System) -> None:
    assert _CHINESE.keys() == _ENGLISH.keys()
    for accepted, texts in {
        "": _ENGLISH,
        "zh-CN,zh;q=0.9,en;q=0.8": _CHINESE,
        "en;q=0.8,zh;q=0.5": _ENGLISH,
        "fr, zh-Hant;q=0.3": _CHINESE,
        "zh;q=0, en;q=0.1": _ENGLISH,
        "zh;q=x;q=, *": _ENGLISH,
        "zh;q=nan": _ENGLISH,
    }.items():
        async with browser(system, **{"accept-language": accepted}) as client:
            page = await client.get("/notice")
        assert f'<html lang="{texts["lang"]}">' in page.text
        assert html.escape(texts["title"]) in page.text


async def test_the_form_has_the_rate_limit_of_notices(make_settings: Callable[..., Settings]) -> None:
    writes = BUSY.anonymous.writes | {"notices": Rate(burst=2, per_minute=0.1)}
    anonymous = BUSY.anonymous.model_copy(update={"writes": writes})
    limits: LimitSettings = BUSY.model_copy(update={"anonymous": anonymous})
    changes: dict[str, Any] = {"moderation": LENIENT.model_copy(update={"notices": NoticeSettings(form=True)})}
    async with running(make_settings(limits=limits, **changes)) as system:
        scene = await Scene(system).made()
        pages = []
        for number in range(3):
            async with browser(system) as client:  # a new cookie does not help
                token = await opened(client)
                form = {**FORM, "explanation": f"number {number}", "target": scene.post, "token": token}
                pages.append(await client.post("/notice", data=form))
        assert [page.status_code for page in pages] == [200, 200, 429]
        assert int(pages[-1].headers["retry-after"]) > 0
        assert html.escape(_ENGLISH["limited"]) in pages[-1].text


async def test_there_is_no_form_by_default(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings()) as system, browser(system) as client:
        pages = await asyncio.gather(client.get("/notice"), client.post("/notice", data=FORM))
        assert [page.status_code for page in pages] == [404, 404]


@standalone
async def test_a_query_string_that_is_not_utf_8_shows_the_form(system: System) -> None:
    app = system.app

    async def with_raw_query(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "query_string": b"law=Law\xff"}, receive, send)

    transport = httpx.ASGITransport(app=with_raw_query, client=("203.0.113.7", 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://plaudit.test") as client:
        page = await client.get("/notice")

    assert (page.status_code, len(TOKEN.findall(page.text))) == (200, 1)


@standalone
async def test_two_open_forms_of_one_browser_can_both_be_sent(system: System) -> None:
    scene = await Scene(system).made()
    async with browser(system) as client:
        tokens = [await opened(client) for _ in range(2)]
        numbers = set()
        for token in tokens:
            sent = {**FORM, "explanation": token, "target": scene.post, "token": token}
            numbers |= {*NUMBER.findall((await client.post("/notice", data=sent)).text)}
        assert len(numbers) == 2


@standalone
@pytest.mark.parametrize("planted", ["1", "0", "a", "-5", "9" * 40])
async def test_the_form_replaces_a_number_that_others_could_guess(system: System, planted: str) -> None:
    async with browser(system) as client:
        page = await client.get("/notice", headers={"cookie": f"plaudit_notice={planted}"})
        assert f"plaudit_notice={planted};" not in page.headers["set-cookie"]


@standalone
async def test_reading_the_form_costs_the_network_address_points(make_settings: Callable[..., Settings]) -> None:
    ip = BUSY.ip.model_copy(update={"points": 120, "points_per_second": 0.01})
    changes: dict[str, Any] = {"moderation": LENIENT.model_copy(update={"notices": NoticeSettings(form=True)})}
    cheap = {name: getattr(BUSY, name).model_copy(update={"cost": 100}) for name in ("user", "anonymous")}
    limits = BUSY.model_copy(update={"ip": ip, **cheap})
    async with running(make_settings(limits=limits, **changes)) as system, browser(system) as client:
        pages = [await client.get("/notice") for _ in range(4)]
        assert [page.status_code for page in pages] == [200, 200, 429, 429]
        assert int(pages[-1].headers["retry-after"]) > 0
        assert html.escape(_ENGLISH["limited"]) in pages[-1].text
