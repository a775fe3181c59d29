"""Copies in Redis, as reconciliation reads and removes them, and what their keys say."""

import re
from collections.abc import AsyncIterator, Sequence

from models.counters import EntityRef
from settings import USERS
from store.cache.lists import FLOOR
from store.keys import Keys, believed
from store.redis.client import Redis
from store.scripts import FORGET

_OWN = re.compile(r"\{\d+\}:(follow|react):")
"""How the keys of users' own sets begin."""


async def scan(redis: Redis, count: int) -> AsyncIterator[tuple[int, list[str]]]:
    """Reads all keys, about `count` at a time. Yields the number of keys read, and those of the current generation."""
    async for found in redis.scan(count):
        yield len(found), [key for raw in found if (key := believed(raw, redis.generation))]


def kind_of(key: str) -> str | None:
    """Returns the word that a key of the cache begins with; None for leases."""
    return key[1:-1].partition(":")[0] if key.endswith("}") else None


def name_of(key: str) -> str:
    """Returns what follows the kind in a key of the cache."""
    return key[1:-1].partition(":")[2]


def ref_of(name: str) -> EntityRef:
    """Returns the entity that a name, `business:id`, stands for."""
    business_id, _, entity_id = name.partition(":")
    return EntityRef(int(business_id), int(entity_id))


def own_kind_of(key: str) -> str | None:
    """Returns the kind of a user's own set, by which its pending members are called too; None for other keys."""
    return match[1] if (match := _OWN.match(key)) else None


def owner_of(key: str) -> tuple[int, int]:
    """Returns whose own set a key names, and the business that it is of."""
    _, _, user_id, *business_id = key.split(":")
    return int(user_id), int(business_id[0]) if business_id else USERS


async def read_list(redis: Redis, key: str) -> tuple[Sequence[bytes], bytes | None]:
    """Reads a whole list, newest first, without what has gone: members with their scores, and its floor."""
    everything = "ZRANGE", key, "+inf", "(0", "BYSCORE", "REV", "WITHSCORES"
    raw, floor = await redis.gather([everything, ("ZSCORE", key, FLOOR)])
    return raw, floor


async def read_set(redis: Redis, key: str) -> Sequence[bytes]:
    """Reads a user's whole own set: members with their scores, and its floor as the member 0."""
    raw: Sequence[bytes] = await redis("ZRANGE", key, 0, -1, "WITHSCORES")
    return raw


def scored(raw: Sequence[bytes]) -> dict[int, int]:
    """Returns members and scores of a sorted set, as they are read."""
    return {int(member): int(float(score)) for member, score in zip(raw[::2], raw[1::2], strict=True)}


async def forget_set(redis: Redis, keys: Keys, key: str) -> None:
    """Removes a user's own set, unless changes of its members are pending."""
    user_id, business_id = owner_of(key)
    await redis.run(FORGET, [key, keys.pending(user_id)], [f"{own_kind_of(key)}:{business_id}:"])
