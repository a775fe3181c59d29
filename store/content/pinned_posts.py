"""Pinned posts: the changes of pins, their rows, and the pinned posts of a user in their cached form.

A change is a patch, as of posts and comments (store/content/patches.py).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import text

from models.pinned_posts import PinnedPosts
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

PINNED_POST = "pinned_post"
"""The kind of the journal entries, and the `op` in their data."""
MOST = 3
"""How many posts a user can pin."""
NONE = PinnedPosts()
LIFE_MS = 86_400_000
_FORMAT = 1
"""The format of the cached document. Raise it when the format changes (store/cache/values.py)."""
_READ = text("""
    SELECT user_id, max(version), array_agg(post_id ORDER BY version DESC) FILTER (WHERE pinned)
    FROM pinned_posts WHERE user_id = ANY(CAST(:users AS bigint[])) GROUP BY user_id
""")
_STORED = text("""
    SELECT user_id, post_id, pinned, version FROM pinned_posts
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND (pinned OR post_id = ANY(CAST(:posts AS bigint[])))
""")
_WRITE = text("""
    INSERT INTO pinned_posts AS p (user_id, post_id, pinned, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:posts AS bigint[]), CAST(:pinned AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, post_id) DO UPDATE SET pinned = excluded.pinned, version = excluded.version
    WHERE excluded.version > p.version
""")


class _Pin(NamedTuple):
    """The row of a post that a user has pinned, or unpinned since."""

    version: int
    pinned: bool


class PinPatch(NamedTuple):
    """A user pinned or unpinned a post. A pinned post can replace others (`replaced`), which are unpinned."""

    version: int
    user_id: int
    post_id: int
    pinned: bool
    replaced: tuple[int, ...]

    @classmethod
    def parse(cls, version: int, data: Mapping[str, Any]) -> "PinPatch":
        """Parses the data of a journal entry. Raises KeyError, TypeError or ValueError if the data is malformed."""
        pinned, replaced = data["pinned"], tuple(data["replaced"])
        if type(pinned) is not bool or not {int}.issuperset(map(type, replaced)):
            raise TypeError(f"{pinned!r} is no bool, or {replaced!r} has something else than ids")
        return cls(version, int(data["actor"]), int(data["entity"]), pinned, replaced)

    def applied(self, pins: PinnedPosts) -> PinnedPosts:
        """Returns the pinned posts after this change, which they may include already."""
        if self.version <= pins.version:
            return pins
        others = [id_ for id_ in pins.post_ids if id_ != self.post_id and id_ not in self.replaced]
        return PinnedPosts(tuple([self.post_id, *others][:MOST] if self.pinned else others), self.version)


async def by_user(postgres: Postgres, users: Sequence[int]) -> dict[int, PinnedPosts]:
    """Reads the pinned posts of users, in one query. Users who have never pinned a post are left out."""
    rows = await postgres.read(_READ, users=list(users))
    return {user_id: PinnedPosts(tuple(post_ids or ())[:MOST], version) for user_id, version, post_ids in rows}


async def write(transaction: Transaction, patches: Iterable[PinPatch]) -> None:
    """Writes changes of pins, one after the other. A row stays if it has a newer change.

    Changes of one user do not meet: batches, direct writes and replays lock the partition of the user first.
    """
    patches = sorted(patches)
    if not patches:
        return
    posts = {post_id for patch in patches for post_id in (patch.post_id, *patch.replaced)}
    rows = await transaction.execute(_STORED, users=sorted({patch.user_id for patch in patches}), posts=sorted(posts))
    stored = grouped((row.user_id, (row.post_id, _Pin(row.version, row.pinned))) for row in rows)
    pins = {patch.user_id: dict(stored.get(patch.user_id, ())) for patch in patches}
    for patch in patches:
        _change(pins[patch.user_id], patch)
    # sorted, because other transactions may lock some of these rows
    values = sorted(
        (user_id, post_id, pin.pinned, pin.version) for user_id, some in pins.items() for post_id, pin in some.items()
    )
    await transaction.execute(_WRITE, **columns(values, "users", "posts", "pinned", "versions"))


def _change(pins: dict[int, _Pin], patch: PinPatch) -> None:
    """Applies a change to the pins of its user, by post. Unpins the oldest pins if there are more than MOST: two
    requests at the same time may both have found room.
    """
    wanted = {**dict.fromkeys(patch.replaced, False), patch.post_id: patch.pinned}
    for post_id, pinned in wanted.items():
        if post_id not in pins or patch.version > pins[post_id].version:
            pins[post_id] = _Pin(patch.version, pinned)
    newest = sorted((post_id for post_id, pin in pins.items() if pin.pinned), key=pins.__getitem__, reverse=True)
    for post_id in newest[MOST:]:
        pins[post_id] = _Pin(patch.version, False)


def encode(pins: PinnedPosts) -> Cached:
    """Encodes the pinned posts of a user for the cache."""
    return Cached(pins.version, orjson.dumps([*pins]), format=_FORMAT)


def decode(cached: Cached) -> PinnedPosts:
    """Decodes what `encode` returns."""
    post_ids, version = orjson.loads(cached.body_in(_FORMAT))
    return PinnedPosts(tuple(post_ids), version)


CODEC = Codec("pinned_posts", keys.pinned_posts, encode, decode, absent=NONE)
"""How the pinned posts of users are cached."""


async def publish(cache: Cache, found: Mapping[int, PinnedPosts]) -> None:
    """Replaces the cached pinned posts of users that are not newer than these."""
    await cache.publish([(keys.pinned_posts(user_id), encode(pins)) for user_id, pins in found.items()], LIFE_MS)
