"""Members who joined long ago are no new accounts on the first day in Plaudit."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from settings import Settings
from tests.archive.archives import load, users
from tests.support.posts import publish
from tests.support.system import System, running

UPSERT = """mutation ($u: [UserUpsertInput!]!) { upsertUsers(users: $u) {
  users { handle createdAt } userErrors { code field message } } }"""
LINK = "see https://example.com/bread"


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application with the rules of a new deployment."""
    async with running(make_settings(local_cache_seconds=0)) as one:
        yield one


async def upsert(system: System, *items: dict[str, Any]) -> Any:
    return (await system.person("service", "users:write").ask(UPSERT, u=list(items)))["upsertUsers"]


async def status(system: System, handle: str) -> str:
    """Returns the moderation status of a post with a link by this user."""
    author = system.person(handle)
    await publish(author, LINK)
    await system.drain()
    own = await author.ask("{ viewer { user { posts { nodes { auditStatus } } } } }")
    return str(own["viewer"]["user"]["posts"]["nodes"][0]["auditStatus"])


async def test_the_link_of_a_long_standing_member_is_public_at_once(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users("ann"))
    await upsert(system, {"externalId": "bob", "handle": "bob", "createdAt": "2009-01-01T00:00:00Z"})

    assert [await status(system, name) for name in ("ann", "bob", "new")] == ["APPROVED", "APPROVED", "PENDING"]


async def test_a_user_is_created_at_the_given_time_and_keeps_it(system: System) -> None:
    item = {"externalId": "ann", "handle": "ann", "createdAt": "2021-03-01T12:00:00.000Z"}

    created = await upsert(system, item)
    again = await upsert(system, item | {"createdAt": "2022-03-01T12:00:00.000Z"})

    expected = {"users": [{"handle": "ann", "createdAt": item["createdAt"]}], "userErrors": []}
    assert created == again == expected


@pytest.mark.parametrize("time", ["1999-12-31T23:59:59Z", "2090-01-01T00:00:00Z"])
async def test_a_time_in_the_future_or_before_2000_is_refused(system: System, time: str) -> None:
    answer = await upsert(system, {"externalId": "ann", "createdAt": time}, {"externalId": "bob"})

    assert [(error["code"], error["field"]) for error in answer["userErrors"]] == [
        ("INVALID", ["users", "0", "createdAt"])
    ]
    assert answer["users"][0] is None
    assert answer["users"][1] is not None


async def test_many_users_of_one_moment_are_created(system: System) -> None:
    time = "2020-01-01T00:00:00.000Z"
    items = [{"externalId": f"u{i}", "createdAt": time} for i in range(100)]

    answer = await upsert(system, *items)

    assert answer["userErrors"] == []
    assert {user["createdAt"][:23] for user in answer["users"]} == {time[:23]}
    assert len(await system.rows("SELECT user_id FROM users WHERE handle <> 'service'")) == 100
