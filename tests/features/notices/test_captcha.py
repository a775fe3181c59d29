"""The captcha of notices: who needs one, and what happens without a valid answer of the captcha service."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from domain.moderation import reviewer
from settings import CaptchaSettings, ModerationSettings, NoticeSettings, Settings
from tests.support import notices
from tests.support.external_reviewer import SECRET, Answer, Server, json_response, listening, plain
from tests.support.report_scene import Scene
from tests.support.stored_state import unchanged
from tests.support.system import LENIENT, System, running


def asking(url: str) -> ModerationSettings:
    """Returns lenient moderation settings that ask a captcha service at this address."""
    captcha = CaptchaSettings.model_validate({"url": url, "secret": SECRET, "timeout": 0.5})
    return LENIENT.model_copy(update={"notices": NoticeSettings(captcha=captcha)})


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    """Yields a captcha service that accepts every token."""
    async with listening() as one:
        one.answer = json_response({"ok": True})
        yield one


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], server: Server) -> AsyncIterator[System]:
    """Yields a system that asks for captchas."""
    async with running(make_settings(moderation=asking(server.url))) as one:
        yield one


async def hang(_: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def test_a_notice_without_a_token_needs_a_solved_captcha(system: System, server: Server) -> None:
    scene, anyone = await Scene(system).made(), system.person(None)
    async with unchanged(system):
        for proof in (None, ""):
            refused = await notices.send(anyone, scene.post, proof=proof)
            assert refused["userErrors"] == [{"code": "INVALID", "field": ["proof"]}]
        assert server.requests == []
        server.answer = json_response({"ok": False})
        refused = await notices.send(anyone, scene.post, proof="forged")
        assert refused["userErrors"] == [{"code": "INVALID", "field": ["proof"]}]
    server.answer = json_response({"ok": True})
    await notices.sent(anyone, scene.post, proof="solved")
    await notices.sent(scene.bob, scene.post)  # a user needs none

    forged, solved = server.requests
    assert (forged.json["token"], solved.json["token"]) == ("forged", "solved")
    assert set(solved.json) == {"token", "network"}
    header = solved.headers["x-plaudit-signature"]
    assert reviewer.is_signed(header, SECRET, solved.body, int(header[2:].partition(",")[0]))


async def test_a_repeated_request_is_answered_although_the_token_is_spent(system: System, server: Server) -> None:
    scene, anyone = await Scene(system).made(), system.person(None, device_id="phone")
    first = await notices.send(anyone, scene.post, proof="solved", idempotencyKey="k")
    server.answer = json_response({"ok": False})
    assert await notices.send(anyone, scene.post, proof="solved", idempotencyKey="k") == first
    server.answer = plain(b"", "500 Internal Server Error")
    assert await notices.send(anyone, scene.post, proof="solved", idempotencyKey="k") == first


@pytest.mark.parametrize(
    "answer",
    [
        hang,
        plain(b"", "500 Internal Server Error"),
        plain(b"not JSON"),
        json_response({"ok": "yes"}),
        json_response([True]),
        json_response({"ok": True, "more": "x" * 5000}),
        json_response({"ok": True}, "302 Found", "Location: /elsewhere"),
    ],
    ids=["hangs", "fails", "no JSON", "not a boolean", "not an object", "too long", "redirects"],
)
async def test_without_a_valid_answer_the_notice_is_refused(system: System, server: Server, answer: Answer) -> None:
    scene, anyone = await Scene(system).made(), system.person(None)
    server.answer = answer
    async with unchanged(system):
        response = (await anyone.send(notices.NOTICE, input=notices.notice_input(scene.post, proof="solved"))).json()
    assert [error["extensions"]["code"] for error in response["errors"]] == ["UNAVAILABLE"]
    assert response["data"] == {"notice": None}


async def test_a_service_that_does_not_listen_refuses_the_notice(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=asking("http://127.0.0.1:9/"))) as system:
        scene = await Scene(system).made()
        response = await system.person(None).send(
            notices.NOTICE, input=notices.notice_input(scene.post, proof="solved")
        )
        assert [error["extensions"]["code"] for error in response.json()["errors"]] == ["UNAVAILABLE"]
