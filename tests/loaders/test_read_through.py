"""Concurrent requests for one value share one read from Postgres."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from loaders.read_through import ReadThrough
from models.users import UserRow
from store.cache.values import Cached
from store.people.users import CODEC, by_id
from tests.support.fallback_mode import directly
from tests.support.journal_entries import someone
from tests.support.metrics import metric
from tests.support.subscriptions import eventually
from tests.support.system import System

LIFE_MS = 60_000


async def test_a_request_after_a_write_does_not_share_a_read_from_before_the_write(system: System) -> None:
    """While Redis is down, no fence shows that a write has overtaken the read."""
    alice = await someone(system, "alice")
    read_done, may_return = asyncio.Event(), asyncio.Event()

    async def read_slowly(ids: Sequence[int]) -> Mapping[int, UserRow | None]:
        found = await by_id(system.state.postgres, ids)
        read_done.set()
        await may_return.wait()
        return found

    users = ReadThrough(system.state.cache, CODEC, read_slowly, lambda _: LIFE_MS)
    earlier = metric("cache_reads_total", loader=CODEC.name, outcome="miss")
    async with directly(system):
        before = asyncio.create_task(users.get_many([alice.user_id]))
        await read_done.wait()
        await alice.person.ask('mutation { updateProfile(input: {bio: "new"}) { user { bio } } }')
        after = asyncio.create_task(users.get_many([alice.user_id]))
        # The second request waits for the first.
        await eventually(lambda: metric("cache_reads_total", loader=CODEC.name, outcome="miss") == earlier + 2)
        may_return.set()

        assert [user and user.bio for user in [*await before, *await after]] == ["", "new"]


async def test_a_document_of_another_format_is_read_from_postgres(system: System) -> None:
    """While processes of two versions run, each reads only the documents of its own format, and no reader fails."""
    alice = await someone(system, "alice")
    read = partial(by_id, system.state.postgres)
    later = replace(
        CODEC,
        encode=lambda user: CODEC.encode(user)._replace(body=b"a later form", format=6),
        decode=lambda cached: UserRow(alice.user_id, cached.body_in(6).decode(), "", None, "", 1),
    )
    old, new = (ReadThrough(system.state.cache, codec, read, lambda _: LIFE_MS) for codec in (CODEC, later))
    name = CODEC.key(alice.user_id)

    await system.state.cache.void([name])
    assert await _bios(old, alice.user_id) == [""]
    assert Cached.parse((await system.state.cache.redis.get_many([name]))[0] or b"").format == 5
    await new.get_many([alice.user_id])
    assert Cached.parse((await system.state.cache.redis.get_many([name]))[0] or b"").format == 6
    assert await _bios(old, alice.user_id) == [""]


async def _bios(users: ReadThrough[int, UserRow | None], user_id: int) -> list[str | None]:
    return [None if user is None else user.bio for user in await users.get_many([user_id])]
