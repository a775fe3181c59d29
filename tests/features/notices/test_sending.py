"""notice, noticeStatus and ModerationCase.notices: who may send a notice, what is stored, and what a decision does."""

from typing import Any

import httpx
import pytest

from store.moderation.notices import stored
from tests.support import notices, posts, reports
from tests.support.boundaries import block
from tests.support.fallback_mode import directly
from tests.support.reconciliation import drift
from tests.support.report_scene import Scene
from tests.support.stored_state import unchanged
from tests.support.system import Person, System

STATUS_FIELDS = "state", "decision"


def stranger(system: System, ip: str = "203.0.113.7", device: str | None = None) -> Person:
    """Returns somebody without an account at a network address."""
    transport = httpx.ASGITransport(app=system.app, client=(ip, 4711))
    http = httpx.AsyncClient(transport=transport, base_url="http://plaudit.test", timeout=30)
    return Person(http, "", {"x-device-id": device} if device else {})


async def outcome(person: Person, number: str) -> tuple[str, str | None]:
    status = await notices.status(person, number)
    assert (status["decidedAt"] is None) == (status["state"] == "OPEN")
    return status["state"], status["decision"]


async def test_a_stranger_sends_a_notice_and_reads_the_decision(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    numbers = {target: await notices.sent(anyone, target) for target in scene.targets}
    await system.drain()

    cases = await notices.queue(scene.moderator, source="NOTICES")
    assert list(cases) == scene.targets
    for target, case in cases.items():
        assert case["sources"] == ["NOTICES"]
        (shown,) = case["notices"]
        assert {name: shown[name] for name in ("number", "law", "explanation", "name", "email", "isTrusted")} == {
            "number": numbers[target],
            "law": "Criminal Code, section 275",
            "explanation": "It sells forged passports.",
            "name": "Nora",
            "email": "nora@example.org",
            "isTrusted": False,
        }
    assert {await outcome(anyone, number) for number in numbers.values()} == {("OPEN", None)}

    for target, resolution in zip(scene.targets, ("REMOVE", "DISMISS", "ACCEPT", "DISMISS"), strict=True):
        assert (await reports.resolve(scene.moderator, target, resolution))["userErrors"] == []
    await system.drain()

    assert await notices.queue(scene.moderator) == {}
    assert [await outcome(stranger(system, "192.0.2.9"), number) for number in numbers.values()] == [
        ("ACCEPTED", "decided"),
        ("DISMISSED", "decided"),
        ("ACCEPTED", "decided"),
        ("DISMISSED", "decided"),
    ]
    assert await drift(system, "cases") == {}


async def test_moderate_decides_notices_too_and_the_log_counts_them(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    first, second = [await notices.sent(anyone, scene.post, explanation=why) for why in ("one", "two")]
    await system.drain()
    await posts.decide(scene.moderator, scene.post, "REJECT")
    await system.drain()

    assert first != second
    assert [await outcome(anyone, number) for number in (first, second)] == [("ACCEPTED", "because")] * 2
    lines = await system.rows("SELECT before, after FROM moderation_log WHERE action = 5")
    assert [tuple(line) for line in lines] == [('{"reports":0,"notices":2}', '{"reports":0,"notices":0}')]


async def test_the_deletion_of_the_target_closes_its_notices(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    before = await notices.sent(anyone, scene.post)
    await system.drain()
    later = await notices.sent(anyone, scene.post, explanation="again")
    await posts.delete(scene.alice, scene.post)
    await system.drain()

    assert [await outcome(anyone, number) for number in (before, later)] == [("MOOT", None)] * 2
    assert await notices.queue(scene.moderator) == {}
    assert await drift(system, "cases") == {}


async def test_a_notice_after_a_decision_opens_the_case_again(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    first = await notices.sent(anyone, scene.user)
    await system.drain()
    await reports.resolve(scene.moderator, scene.user, "DISMISS")
    await system.drain()
    second = await notices.sent(anyone, scene.user, explanation="There is more now.")
    await system.drain()

    assert await outcome(anyone, first) == ("DISMISSED", "decided")
    assert await outcome(anyone, second) == ("OPEN", None)
    assert list(await notices.queue(scene.moderator)) == [scene.user]
    assert await drift(system, "cases") == {}


async def test_notices_of_trusted_flaggers_come_first_and_hide_nothing(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    for reporter in (scene.bob, scene.carol):
        await reports.reported(reporter, scene.comment)
    await notices.sent(anyone, scene.video)
    await system.drain()
    await notices.sent(system.person("flagger", "notices:trusted"), scene.post)
    await system.drain()

    cases = await notices.queue(scene.moderator, "MOST_REPORTED")
    assert list(cases) == [scene.post, scene.comment, scene.video]
    assert [[one["isTrusted"] for one in case["notices"]] for case in cases.values()] == [[True], [], [False]]
    assert await drift(system, "cases") == {}
    await reports.resolve(scene.moderator, scene.post, "DISMISS")
    await system.drain()
    assert [tuple(row) for row in await system.rows("SELECT weight FROM cases WHERE sources = 0")] == [(0,)]


async def test_a_repeated_request_is_one_notice_with_one_receipt(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    first = await notices.send(anyone, scene.post, idempotencyKey="k")
    assert await notices.send(anyone, scene.post, idempotencyKey="k") == first
    await system.drain()
    await posts.delete(scene.alice, scene.post)
    await system.drain()
    assert await notices.send(anyone, scene.post, idempotencyKey="k") == first
    mismatch = await notices.send(anyone, scene.post, idempotencyKey="k", law="Another law")
    assert mismatch == {"receipt": None, "userErrors": [{"code": "IDEMPOTENCY_MISMATCH", "field": ["idempotencyKey"]}]}
    await system.drain()

    assert len(await system.rows("SELECT * FROM notices")) == 1


async def test_notices_are_written_directly_while_redis_is_down(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    async with directly(system):
        payload = await notices.send(anyone, scene.post, idempotencyKey="k")
        assert await notices.send(anyone, scene.post, idempotencyKey="k") == payload
        assert await outcome(anyone, payload["receipt"]["number"]) == ("OPEN", None)
        assert list(await notices.queue(scene.moderator)) == [scene.post]

    assert len(await system.rows("SELECT * FROM notices")) == 1


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"goodFaith": False}, "INVALID", "goodFaith"),
        ({"name": None}, "INVALID", "name"),
        ({"name": " "}, "INVALID", "name"),
        ({"email": None}, "INVALID", "email"),
        ({"email": "nora"}, "INVALID", "email"),
        ({"email": "nora@example.org, eve@example.org"}, "INVALID", "email"),
        ({"email": "nora@example.org\nBcc: eve@example.org"}, "TEXT_INVALID", "email"),
        ({"email": "n" * 250 + "@example.org"}, "TEXT_TOO_LONG", "email"),
        ({"explanation": " \u200b"}, "INVALID", "explanation"),
        ({"explanation": "x" * 2001}, "TEXT_TOO_LONG", "explanation"),
        ({"explanation": "\x00"}, "TEXT_INVALID", "explanation"),
        ({"law": ""}, "INVALID", "law"),
        ({"law": "x" * 201}, "TEXT_TOO_LONG", "law"),
        ({"law": "a\nb"}, "TEXT_INVALID", "law"),
        ({"name": "x" * 201}, "TEXT_TOO_LONG", "name"),
    ],
)
async def test_a_bad_value_changes_nothing(system: System, changes: dict[str, object], code: str, field: str) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    async with unchanged(system):
        refused = await notices.send(anyone, scene.post, **changes)
    assert refused == {"receipt": None, "userErrors": [{"code": code, "field": [field]}]}


async def test_a_notice_about_abuse_of_a_child_needs_no_name(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    await notices.sent(anyone, scene.post, unnamed=True, name=None, email=None)
    await system.drain()

    ((_, case),) = (await notices.queue(scene.moderator)).items()
    assert [(one["name"], one["email"]) for one in case["notices"]] == [(None, None)]


async def test_nobody_sends_notices_about_what_they_may_not_see(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    await block(scene.alice, await scene.bob.id())
    missing = {"receipt": None, "userErrors": [{"code": "TARGET_NOT_FOUND", "field": ["targetId"]}]}
    for target in ("Post:1", "User:1", "Comment:2.1", "Entity:video:none", "Topic:cats", "Viewer:7"):
        assert await notices.send(anyone, target) == missing
    assert await notices.send(scene.bob, scene.post) == missing  # but anybody may, without a token
    await system.drain()

    assert await system.rows("SELECT * FROM notices") == []
    assert await system.rows("SELECT * FROM cases") == []
    await notices.sent(anyone, scene.post)


async def test_nobody_guesses_a_number(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    numbers = [await notices.sent(anyone, scene.post, explanation=f"number {i}") for i in range(2)]
    await system.drain()

    assert len({number[-13:] for number in numbers}) == 2
    changed = numbers[0][:-2] + ("A" if numbers[0][-2] != "A" else "B") + numbers[0][-1]
    for number in (changed, "", "x", "A" * 29, "7" * 29, "\u0130" * 29, numbers[0] + "A"):
        assert await notices.status(anyone, number) is None
    assert await notices.status(anyone, f" {numbers[0].lower()} ") is not None


async def test_only_moderators_read_notices(system: System) -> None:
    scene, anyone = await Scene(system).made(), stranger(system)
    await notices.sent(anyone, scene.post)
    await system.drain()
    for person, code in ((anyone, "UNAUTHENTICATED"), (scene.alice, "FORBIDDEN")):
        answer = (await person.send(notices.QUEUE, sort="OLDEST")).json()
        assert [error["extensions"]["code"] for error in answer["errors"]] == [code]
        assert "nora" not in str(answer).lower()


async def test_a_new_notice_does_not_read_the_open_ones(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = await Scene(system).made()
    read: list[int] = []

    async def counted(*wanted: Any) -> Any:
        found = await stored(*wanted)
        read.append(sum(map(len, found.values())))
        return found

    monkeypatch.setattr("store.moderation.notices.stored", counted)
    for number in range(3):
        await notices.sent(stranger(system, f"203.0.113.{number}"), scene.post)
        await system.drain()
    await reports.resolve(scene.moderator, scene.post, "DISMISS")
    await system.drain()

    assert read == [0, 0, 0, 3]
    assert await drift(system, "cases") == {}
