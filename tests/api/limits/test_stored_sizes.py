"""How much one actor can store in the state Redis: real keys that are filled to their bounds have the stated sizes."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from tests.api.limits.argument_values import made_values
from tests.api.limits.key_tables import DOCS, STATE, rows
from tests.support.boundaries import mute_thread
from tests.support.collections import created
from tests.support.hiding_words import hide
from tests.support.posts import published
from tests.support.priced_operations import mutations
from tests.support.reposts import repost
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS, System, running

UNITS = {"bytes": 1, "kB": 1000, "MB": 1_000_000}
NAMES = 3
MARGIN = 4
"""The most times that a stated size may be larger than the measured one: some keys have longer ids elsewhere."""
NOT_WRITTEN = {"{p}:generation", "{cache_log}", "{promoting}"}
"""Keys that exist only after Redis has failed, or with a second site."""
VIEWS = "mutation ($ids: [ID!]!) { recordViews(input: {targetIds: $ids}) { userErrors { code } } }"


def stated() -> dict[str, tuple[int, float]]:
    """Returns the number of elements and the bytes that the page states for each key."""
    return {
        name: (int(count.replace(",", "")), float(size.split()[0]) * UNITS[size.split()[1]])
        for name, _, count, size, *_ in rows(DOCS.read_text())
    }


def pattern(name: str) -> str:
    """Returns a pattern of Redis for the keys of a family."""
    return "*" + re.sub(r"<\w+>", "*", name.removeprefix("{p}"))


async def largest(system: System, name: str) -> bytes:
    """Returns the largest key of a family."""
    redis, parts = system.state.redis.client, name.count(":")
    found: list[bytes] = [key async for key in redis.scan_iter(pattern(name), count=1000) if key.count(b":") == parts]
    assert found, name
    sizes = {key: await redis.memory_usage(key, samples=0) for key in found}
    return max(found, key=sizes.__getitem__)


async def grown(redis: Any, key: bytes, kind: str, count: int) -> int:
    """Fills a key with so many elements like its longest one. Returns its size in bytes."""
    if kind == "string":
        return int(await redis.memory_usage(key))
    if kind == "stream":
        entries = [fields for _, fields in await redis.xrange(key)]
        longest = max(entries, key=lambda fields: sum(map(len, fields.values())))
        for _ in range(count):
            await redis.xadd(b"grown", longest)
    elif kind == "hash":
        field, value = max((await redis.hgetall(key)).items(), key=lambda item: len(item[0]) + len(item[1]))
        await redis.hset(b"grown", mapping={another(field, n): value for n in range(count)})
    elif kind == "zset":
        member, score = max(await redis.zrange(key, 0, -1, withscores=True), key=lambda item: len(item[0]))
        await redis.zadd(b"grown", {another(member, n): score + n for n in range(count)})
    else:
        member = max(await redis.smembers(key), key=len)
        await redis.sadd(b"grown", *[another(member, n) for n in range(count)])
    size = int(await redis.memory_usage(b"grown", samples=0))
    await redis.delete(b"grown")
    return size


def another(name: bytes, number: int) -> bytes:
    """Returns a name of the same length, with another number at its end."""
    head, digits = re.fullmatch(rb"(.*?)(\d*)", name).groups()  # type: ignore[union-attr]
    return bytes(head + str(int(digits or 0) + number).encode())


async def fill(system: System) -> None:
    """Makes users write every kind of key."""
    viewer, values = await made_values(system)
    posts = await published(viewer, "to repost")
    await system.drain()
    for one in mutations(values):
        await viewer.send(one.text, **one.variables(1))
    await mute_thread(viewer, values["subjectId"])
    await repost(viewer, *posts)
    await hide(viewer, values["subjectId"])
    for number in range(NAMES):
        await created(viewer, f"{number}".ljust(100, "\U00020000"))
    await system.person(None, device_id="device").ask(VIEWS, ids=values["ids"])


@standalone
@pytest.mark.timeout(600)
async def test_keys_of_an_actor_are_as_large_as_stated(make_settings: Callable[..., Settings]) -> None:
    sizes = dict[str, int]()
    page, kinds = stated(), {name: kind for name, kind, *_ in STATE}
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        await fill(system)
        for name in page.keys() - NOT_WRITTEN:
            key = await largest(system, name)
            sizes[name] = await grown(system.state.redis.client, key, kinds[name], page[name][0])

    assert not {name: size for name, size in sizes.items() if not page[name][1] / MARGIN <= size <= page[name][1]}
