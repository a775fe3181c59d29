"""Reads cached copies in Redis for reconciliation, and parses their keys."""

import re
from collections.abc import AsyncIterator, Sequence

from models.counters import EntityRef
from store.cache.lists import FLOOR
from store.keys import current_key
from store.redis.client import Redis

_OWN = re.compile(r"\{\d+\}:own:([a-z_]+):")
"""Matches the beginning of the keys of users' own sets."""


async def scan(redis: Redis, count: int) -> AsyncIterator[tuple[int, list[str]]]:
    """Reads all Redis keys, about `count` at a time. Yields, each time, the number of keys read, and those among them
    that are valid in the current generation, without its prefix. Raises RedisDown.
    """
    async for found in redis.scan(count):
        yield len(found), [key for raw in found if (key := current_key(raw, redis.generation))]


def kind_of(key: str) -> str | None:
    """Returns the kind of a cache key, such as `post` for `{post:7}`; None for other keys, such as leases."""
    return key[1:-1].partition(":")[0] if key.endswith("}") else None


def name_of(key: str) -> str:
    """Returns the part of a cache key after the kind, such as `7` for `{post:7}`."""
    return key[1:-1].partition(":")[2]


def ref_of(name: str) -> EntityRef:
    """Parses a name of the form `business:id`."""
    business_id, _, entity_id = name.partition(":")
    return EntityRef(int(business_id), int(entity_id))


def own_kind_of(key: str) -> str | None:
    """Returns the kind of the own set that a key is for, such as `follow` (store/own_sets/kinds/), or BLOCKER for the
    set of the users who block a user. Returns None for other keys.
    """
    return match[1] if (match := _OWN.match(key)) else None


def owner_of(key: str) -> tuple[int, int]:
    """Returns the id of the user and the number of the business in the key of an own set; 0 for the business if the key
    has none.
    """
    _, _, _, user_id, *business_id = key.split(":")
    return int(user_id), int(business_id[0]) if business_id else 0


async def read_list(redis: Redis, key: str) -> tuple[Sequence[bytes], bytes | None]:
    """Reads a whole cached list, highest score first, without removed members. Returns a flat list of members and
    scores, and the floor: the score above which the list is complete. The floor is None if the list is not cached. A
    floor above 0 is also the last entry of the list, as member 0.
    """
    everything = "ZRANGE", key, "+inf", "(0", "BYSCORE", "REV", "WITHSCORES"
    raw, floor = await redis.gather([everything, ("ZSCORE", key, FLOOR)])
    return raw, floor


async def read_set(redis: Redis, key: str) -> Sequence[bytes]:
    """Reads a whole own set of a user. Returns a flat list of members and scores. The score of the member 0 is the
    floor, above which the set is complete.
    """
    raw: Sequence[bytes] = await redis("ZRANGE", key, 0, -1, "WITHSCORES")
    return raw


def scored(raw: Sequence[bytes]) -> dict[int, int]:
    """Converts a flat list of members and scores, as Redis returns a sorted set, to scores by member."""
    return {int(member): int(float(score)) for member, score in zip(raw[::2], raw[1::2], strict=True)}
