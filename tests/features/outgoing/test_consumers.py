"""Checks the examples in the guide for consumers: a verifier, and a consumer that keeps a copy of like counts."""

import asyncio
import random
import sys
from typing import Any

import pytest

from domain import webhook_signatures
from tests.support import comments
from tests.support.guide import FOLDER, example
from tests.support.outgoing import received, send_all, to_stream
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import System

SECRET = webhook_signatures.new_secret()
NOW = 1_700_000_000


def signed(body: bytes, *secrets: str) -> dict[str, str]:
    return webhook_signatures.headers(secrets or [SECRET], "3-1-2-2", NOW, body)


def test_the_verifier_accepts_what_is_signed() -> None:
    verify, other = example("verify"), webhook_signatures.new_secret()

    assert verify.is_genuine(SECRET, signed(b"{}"), b"{}", NOW)
    assert verify.is_genuine(SECRET, signed(b"{}", other, SECRET), b"{}", NOW + 299)


@pytest.mark.parametrize(
    "changes",
    [
        {"body": b"{ }"},
        {"now": NOW + 301},
        {"now": NOW - 301},
        {"secret": webhook_signatures.new_secret()},
        {"webhook-id": "3-1-2-3"},
        {"webhook-timestamp": str(NOW + 1)},
        {"webhook-timestamp": "soon"},
        {"webhook-timestamp": "9" * 5000},
        {"webhook-timestamp": "\u0661\u0667" + "\u0660" * 8},
        {"webhook-id": "\udcff"},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,AAAA v2,ü"},
        {"webhook-signature": "v1,\udcff"},
    ],
)
def test_the_verifier_refuses_everything_else(changes: dict[str, Any]) -> None:
    headers = signed(b"{}") | {name: value for name, value in changes.items() if name.startswith("webhook")}
    secret, body, now = changes.get("secret", SECRET), changes.get("body", b"{}"), changes.get("now", NOW)

    assert not example("verify").is_genuine(secret, headers, body, now)


def test_signatures_are_those_of_standard_webhooks() -> None:
    """The example of https://github.com/standard-webhooks/standard-webhooks."""
    headers = webhook_signatures.headers(
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )

    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@standalone
async def test_a_copy_of_like_counts_that_is_made_of_events_never_differs_at_quiet_points(system: System) -> None:
    rng, people, model = random.Random(7), ["alice", "bob", "carol"], example("like_counts").LikeCounts()
    await to_stream(system, "reaction.changed")
    videos, seen = await system.videos(*(f"v{n}" for n in range(5))), 0
    for _ in range(12):
        for _ in range(10):
            verb = rng.choice(["like", "unlike", "dislike", "undislike"])
            await system.person(rng.choice(people)).react(verb, rng.choice(videos))
            if rng.random() < 0.3:
                await (await system.owner()).step()
        events = await received(system)
        repeated = events[max(0, seen - 3) :]  # at least once
        seen = len(events)
        for event in repeated:
            model.apply(event)
        counts = {video: await likes_of(system, video) for video in videos}
        assert {video: model.counts[video] for video in videos} == counts
    assert seen >= 40


@standalone
async def test_the_copy_has_no_likes_of_an_erased_target(system: System) -> None:
    copy = example("like_counts").LikeCounts()
    await to_stream(system, "reaction.changed")
    (video,) = await system.videos("v1")
    comment = await comments.added(system.person("alice"), video, "nice")
    await system.drain()
    for target in (video, comment):
        await system.person("alice").like(target)
    await received(system)
    await system.person("bob").like(comment)
    await system.drain()
    await execute(system, "DELETE FROM comment_contents")

    for event in (events := await received(system)):
        copy.apply(event)

    assert [event["data"]["targetId"] for event in events] == [video, comment, None]
    assert copy.counts == {video: 1}


@standalone
async def test_the_program_prints_each_count_that_changes(system: System) -> None:
    await to_stream(system, "reaction.changed")
    (video,) = await system.videos("v1")
    command = sys.executable, str(FOLDER / "like_counts.py"), system.settings.redis_url, "stream"
    program = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert program.stdout
    try:
        for handle, verb, count in (("alice", "like", 1), ("bob", "like", 2), ("alice", "unlike", 1)):
            await system.person(handle).react(verb, video)
            await system.drain()
            await send_all(system)
            async with asyncio.timeout(30):
                assert await program.stdout.readline() == f"{video} {count}\n".encode()
        assert program.returncode is None
    finally:
        program.kill()
        await program.wait()


async def likes_of(system: System, video: str) -> int:
    data = await system.person(None).ask("query ($id: ID!) { node(id: $id) { ... on Entity { likeCount } } }", id=video)
    return int(data["node"]["likeCount"])
