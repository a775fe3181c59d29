"""Searches all tables and all Redis keys for what is left of a deleted user or an erased entity: its number, and texts
that only it has, such as the former handle or the title. For `plaudit deletions check`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from sqlalchemy import text

from models.base import METADATA
from store.postgres.client import Postgres
from store.redis.client import Redis

KEPT = {
    "announcements": "the number, until a worker has deleted the posts that announce what the user owned",
    "bells": "the number, in what other users chose to be notified of",
    "blocked_by": "with ANONYMIZE, the number, in blocks of other users",
    "blocks": "the number, in blocks of other users that have ended; with ANONYMIZE, in all of them",
    "comment_contents": "the number, in comments without text, and in answers of others; with ANONYMIZE, also texts",
    "comments": "the number, as the author of comments",
    "counters": "the number, with the count of likes that others gave",
    "deleted_identities": "a digest of the issuer and the subject, for 30 days",
    "deletions": "the number, and when the account was deleted",
    "entities": "nothing but numbers",
    "follow_log": "the number, in the log of others",
    "follows": "the number, in follows that have ended",
    "handles": "the handle, reserved for as long as changed handles are",
    "legal_holds": "the number, and the reason of the hold",
    "like_log": "the number, as the owner of things that others liked",
    "moderation_log": "decisions of moderation",
    "mutes": "the number, in mutes of other users",
    "notices": "the number, in notices about the user, without their explanations",
    "notification_actors": "with ANONYMIZE, the number, in notifications about comments that stay",
    "notifications": "the number, in notifications without a name",
    "outboxes": "the number, as the author of posts",
    "outgoing_events": "events that are kept for some days to be sent again",
    "posts": "the number, in posts without text; with ANONYMIZE, also texts",
    "reactions": "the number, as the owner of things that others liked",
    "reposts": "the number, as the author of posts that others reposted",
    "reports": "open reports that the user made",
    "search_documents": "with ANONYMIZE, the number, as the author of posts and comments that stay, and their words",
    "statements": "decisions of moderation",
    "thread_mutes": "the number, in mutes of reposts and in dismissed suggestions of other users",
    "topic_posts": "with ANONYMIZE, the number under which posts that stay count in trends",
    "topic_recounts": "the number, until a worker has counted the posts of topics again",
    "users": "the number, in a profile without data",
}
"""What may be left of a deleted user, by table."""
_TEXTS_KEPT = {"handles", "moderation_log", "outgoing_events", "statements"}
"""The tables that may keep texts of the user with ERASE."""
KEPT_OF_ENTITIES = {
    "announcements": "the number, for an hour after the post that announced the entity",
    "entities": "the number and the key, in a row without data",
    "erasures": "the number, and when the entity was erased",
    "like_log": "the number, in the log of what users did, for as long as the log is kept",
    "moderation_log": "decisions of moderation",
    "outgoing_events": "events that are kept for some days to be sent again",
    "posts": "the number, in posts that refer to the entity",
    "statements": "decisions of moderation",
}
"""What may be left of an erased entity, by table."""
_SCANNED = 500
_DAY_MS = 86_400_000
_READS: dict[bytes, Callable[[bytes], tuple[Any, ...]]] = {
    b"string": lambda key: ("GET", key),
    b"hash": lambda key: ("HGETALL", key),
    b"list": lambda key: ("LRANGE", key, 0, -1),
    b"zset": lambda key: ("ZRANGE", key, 0, -1),
    b"stream": lambda key: ("XRANGE", key, "-", "+"),
}
"""The command that reads a key of each type, except sets, which expire within hours."""
_EXPIRED = -2
"""What PTTL answers for a key that has expired since it was read."""


class Remains(NamedTuple):
    """A place in which something was found: a table or a Redis key, the text that was found, the number of rows, and
    why it may be there; None if it must not be there.
    """

    place: str
    found: str
    rows: int
    reason: str | None


class Searched(NamedTuple):
    """What to search for: the number of a deleted user or an erased entity, and texts that only it has. `kept` says
    what may be left of it, by table. The tables `texts_kept` may also have the texts.
    """

    number: int
    texts: Sequence[str]
    kept: Mapping[str, str]
    texts_kept: Collection[str]

    @classmethod
    def user(cls, user_id: int, texts: Sequence[str]) -> Self:
        """Returns what to search for after a user was deleted."""
        return cls(user_id, texts, KEPT, _TEXTS_KEPT)

    @classmethod
    def entity(cls, entity_id: int, texts: Sequence[str]) -> Self:
        """Returns what to search for after an entity was erased."""
        return cls(entity_id, texts, KEPT_OF_ENTITIES, _TEXTS_KEPT & KEPT_OF_ENTITIES.keys())

    @property
    def needles(self) -> list[str]:
        """Returns the number and the texts."""
        return [str(self.number), *self.texts]


async def in_tables(postgres: Postgres, searched: Searched, left: Iterable[tuple[str, int]]) -> list[Remains]:
    """Searches all rows of all tables for a number and for texts. Reads whole tables. `left` has the numbers of rows
    that must not be there at all, by table.
    """
    found = [Remains(name, str(searched.number), rows, None) for name, rows in left]
    for name in sorted(METADATA.tables):
        for needle in searched.needles:
            statement = text(f"SELECT count(*) FROM {name} t WHERE position(:needle IN t::text) > 0")  # noqa: S608
            if rows := int((await postgres.read(statement, needle=needle))[0][0]):
                may_stay = needle == str(searched.number) or name in searched.texts_kept
                found.append(Remains(name, needle, rows, searched.kept.get(name) if may_stay else None))
    return found


async def in_redis(redis: Redis, searched: Searched) -> list[Remains]:
    """Searches the names and values of all Redis keys for a number and for texts. Reads all of Redis."""
    number, found = str(searched.number), []
    async for keys in redis.scan(_SCANNED):
        for key in keys:
            kind = await redis.client.type(key)
            value = await redis.client.execute_command(*_READS[kind](key)) if kind in _READS else None
            seen, name = _bytes_of((key, value)), key.decode(errors="replace")
            if there := [needle for needle in searched.needles if needle.encode() in seen]:
                reason = await _reason(redis, key)
                if there == [number] and name.endswith(f"{{user:{number}}}"):
                    reason = "the number, in the cached profile without data"
                found += [Remains(name, needle, 1, reason) for needle in there]
    return found


def _bytes_of(value: Any) -> bytes:
    """Returns all bytes in an answer of Redis, which may have lists of lists."""
    if isinstance(value, (list, tuple)):
        return b"\0".join(map(_bytes_of, value))
    return value if isinstance(value, bytes) else b"" if value is None else str(value).encode()


async def _reason(redis: Redis, key: bytes) -> str | None:
    """Returns why a Redis key may contain something that was searched for; None if it must not."""
    if key.endswith(b":journal"):
        return "a journal, whose entries are removed about a minute after they are stored"
    if b"{suggested:" in key:
        return "a list of suggestions, computed again after each visit; expires within seven days"
    left_ms = await redis.client.pttl(key)
    return "expires within a day" if 0 <= left_ms <= _DAY_MS or left_ms == _EXPIRED else None
