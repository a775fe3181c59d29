"""Posts that users have pinned to their profiles: the rows, and the cached form of a user's pinned posts."""

from collections.abc import Iterable, Mapping, Sequence

import orjson
from sqlalchemy import text

from models.patches import PinPatch
from models.pinned_posts import MOST_PINNED, Pin, PinnedPosts
from store import keys
from store.cache.values import Cache, Cached, Codec
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

NONE = PinnedPosts()
LIFE_MS = 86_400_000
_FORMAT = 1
"""The number of the format in which values are cached. Increase it when the format changes (store/cache/values.py)."""
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


async def by_user(postgres: Postgres, users: Sequence[int]) -> dict[int, PinnedPosts]:
    """Reads the pinned posts of users, in one query. Users who have never pinned a post are left out."""
    rows = await postgres.read(_READ, users=list(users))
    return {user_id: PinnedPosts(tuple(post_ids or ())[:MOST_PINNED], version) for user_id, version, post_ids in rows}


async def write(transaction: Transaction, patches: Iterable[PinPatch]) -> None:
    """Applies changes of users' pinned posts to the rows, one after the other. A row that has a newer change stays as
    it is.

    No other transaction may change the pins of these users meanwhile: batches, direct writes and replays lock the
    partition of the user first.
    """
    patches = sorted(patches)
    if not patches:
        return
    posts = {post_id for patch in patches for post_id in (patch.post_id, *patch.replaced)}
    rows = await transaction.execute(_STORED, users=sorted({patch.user_id for patch in patches}), posts=sorted(posts))
    stored = grouped((row.user_id, (row.post_id, Pin(row.version, row.pinned))) for row in rows)
    pins = {patch.user_id: dict(stored.get(patch.user_id, ())) for patch in patches}
    for patch in patches:
        patch.change(pins[patch.user_id])
    # sorted, because other transactions may lock some of these rows
    values = sorted(
        (user_id, post_id, pin.pinned, pin.version) for user_id, some in pins.items() for post_id, pin in some.items()
    )
    await transaction.execute(_WRITE, **columns(values, "users", "posts", "pinned", "versions"))


def encode(pins: PinnedPosts) -> Cached:
    """Encodes the pinned posts of a user for the cache."""
    return Cached(pins.version, orjson.dumps([*pins]), format=_FORMAT)


def decode(cached: Cached) -> PinnedPosts:
    """Returns the pinned posts that `encode` has encoded. Raises OtherFormat if they are encoded in another format."""
    post_ids, version = orjson.loads(cached.body_in(_FORMAT))
    return PinnedPosts(tuple(post_ids), version)


CODEC = Codec("pinned_posts", keys.pinned_posts, encode, decode, absent=NONE)
"""How the pinned posts of users are cached."""


async def publish(cache: Cache, found: Mapping[int, PinnedPosts]) -> None:
    """Replaces the cached pinned posts of users, unless they are newer than these. Users without cached pinned posts
    stay uncached. Raises RedisDown.
    """
    await cache.publish([(keys.pinned_posts(user_id), encode(pins)) for user_id, pins in found.items()], LIFE_MS)
