"""The rows of reposts: a user's own, the reposters of a post, and the reposts of one user or of followed users."""

from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import text

from domain.versions import moment_of
from models.counters import EntityRef
from models.own_sets import Member
from models.reposts import member_of, repost_of
from settings import POSTS
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.cache.values import Cache
from store.content.items import page
from store.content.outboxes import big_among, fanout
from store.groups import grouped
from store.postgres.client import Postgres, Reader, Rows, Transaction
from store.postgres.columns import columns

REPOSTERS = 200
"""The number of newest reposters of a post that are cached."""
_OF_USER = text("""
    (SELECT moment, post_id FROM reposts
     WHERE user_id = :user AND post_id = ANY(CAST(:posts AS bigint[])) AND stands)
    UNION
    (SELECT moment, post_id FROM reposts WHERE user_id = :user AND stands
     ORDER BY moment DESC, post_id DESC LIMIT :newest)
""")
_BY_USER = text("""
    SELECT moment, post_id FROM reposts WHERE user_id = :user AND stands AND (moment, post_id) < (:moment, :member)
    ORDER BY moment DESC, post_id DESC LIMIT :count
""")
_REPOSTERS = text("""
    SELECT moment, user_id FROM reposts WHERE post_id = :post AND stands AND (moment, user_id) < (:moment, :member)
    ORDER BY moment DESC, user_id DESC LIMIT :count
""")
_AMONG = text("""
    SELECT r.user_id, r.post_id, r.stands, r.moment, r.pushed
    FROM unnest(CAST(:users AS bigint[]), CAST(:posts AS bigint[])) AS wanted(user_id, post_id)
    JOIN reposts r USING (user_id, post_id)
""")
_UPSERT = text("""
    INSERT INTO reposts AS r (user_id, post_id, owner_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:posts AS bigint[]), CAST(:owners AS bigint[]),
                         CAST(:stands AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, post_id) DO UPDATE SET
        was = r.stands, had = r.had OR r.stands, owner_id = excluded.owner_id, stands = excluded.stands,
        version = excluded.version
    WHERE r.version < excluded.version
    RETURNING user_id, post_id, was, had
""")
_PULLED = text("""
    UPDATE reposts r SET pushed = false
    FROM unnest(CAST(:users AS bigint[]), CAST(:posts AS bigint[])) AS w(user_id, post_id)
    WHERE r.user_id = w.user_id AND r.post_id = w.post_id
""")
_FANOUT = fanout("reposts", "user_id", "-")

RepostRow = tuple[int, int, int | None, bool, int]
"""A repost: user, post, the author of the post, whether the repost stands, version."""


async def own_rows(source: Reader, user_id: int, _: int, refs: Sequence[EntityRef], newest: int) -> list[Member]:
    """Reads a user's reposts of these posts, and as many of the user's newest reposts as `newest` says."""
    rows = await source.read(_OF_USER, user=user_id, posts=[ref.entity_id for ref in refs], newest=newest)
    return [Member(moment, EntityRef(POSTS, post), 1) for moment, post in rows]


async def by_user(postgres: Postgres, user: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` reposts of a user, newest first: those older than `before` (None: the newest). The members of
    the items stand for reposts (`member_of`).
    """
    reposter, post = repost_of(before.member) if before else (0, 0)
    end = before and before._replace(member=post if reposter else 0)
    rows = await page(postgres, _BY_USER, end, count, user=user.entity_id)
    return [Item(moment, member_of(user.entity_id, post)) for moment, post in rows]


async def reposters(postgres: Postgres, post: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads up to `count` users who repost a post, newest repost first: those with reposts older than `before` (None:
    the newest). Items are (moment, user id).
    """
    return await page(postgres, _REPOSTERS, before, count, post=post.entity_id)


async def standing_among(postgres: Postgres, reposts: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Returns those of `reposts`, pairs of user and post, that stand."""
    return {(user, post) for user, post, stands, *_ in await _among(postgres, reposts) if stands}


async def write(transaction: Transaction, rows: Sequence[RepostRow]) -> Rows:
    """Writes reposts, except those whose stored rows have the same or a higher version. Returns the written rows: user,
    post, whether the repost stood before, whether it had ever stood before.
    """
    return await transaction.execute(_UPSERT, **columns(rows, "users", "posts", "owners", "stands", "versions"))


async def ask_for_fanout(
    transaction: Transaction, reposts: Sequence[tuple[int, int, int]], partition_of: Callable[[int], int], most: int
) -> None:
    """Requests fan-outs of reposts: workers will push them to the followers of the users. `reposts` are (user, post,
    version). Reposts of users with `most` followers or more are not pushed; the rows store whether they are.
    """
    if reposts:
        rows = [(user, post, partition_of(user), moment_of(version), version >> 20) for user, post, version in reposts]
        names = "authors", "posts", "partitions", "moments", "since"
        await transaction.execute(_FANOUT, **columns(sorted(rows), *names), most=most)


async def mark_pulled(transaction: Transaction, reposts: Sequence[tuple[int, int]], most: int) -> None:
    """Stores which of `reposts`, pairs of user and post, were not pushed: those of users with `most` followers or more.
    Requests no fan-out: the caller must remove all cached lists of reposts afterwards.
    """
    big = await big_among(transaction, {user for user, _ in reposts}, most)
    if pulled := sorted(one for one in reposts if one[0] in big):
        await transaction.execute(_PULLED, **columns(pulled, "users", "posts"))


def reposters_key(post: EntityRef) -> str:
    """Returns the key of the cached list of a post's reposters."""
    return keys.reposters(post.entity_id)


def by_user_key(user: EntityRef) -> str:
    """Returns the key of the cached list of a user's reposts."""
    return keys.reposted(user.entity_id)


async def publish(cache: Cache, postgres: Postgres, reposts: Sequence[tuple[int, int]], *, cap: int) -> None:
    """Updates the cached lists of reposters and of users' reposts, and the cached list of big accounts, after changes
    of `reposts`, pairs of user and post. `cap` is how many reposts of a user are cached. Raises RedisDown.
    """
    found = await _among(postgres, reposts)
    rows = [(user, post, moment if stands else -moment) for user, post, stands, moment, _ in found]
    await _add(cache, ((keys.reposters(post), Item(moment, user)) for user, post, moment in rows), REPOSTERS)
    await _add(cache, ((keys.reposted(user), Item(moment, member_of(user, post))) for user, post, moment in rows), cap)


async def pulled_among(postgres: Postgres, reposts: Sequence[tuple[int, int]]) -> list[Item]:
    """Returns the users among those of `reposts`, pairs of user and post, that stand and were not pushed to followers.
    An item is a user's id, negative, with the moment of the user's newest such repost.
    """
    found = await _among(postgres, reposts)
    pulled = grouped((user, moment) for user, _, stands, moment, pushed in found if stands and not pushed)
    return [Item(max(moments), -user) for user, moments in pulled.items()]


async def _add(cache: Cache, places: Iterable[tuple[str, Item]], cap: int) -> None:
    await lists.publish(cache, grouped(places).items(), cap=cap)


async def _among(postgres: Postgres, reposts: Sequence[tuple[int, int]]) -> Rows:
    return await postgres.read(_AMONG, **columns(reposts, "users", "posts")) if reposts else []
