"""Reads posts, and what pages show with them: counters, the viewer's reactions and authors."""

from collections.abc import Callable
from typing import Any

from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.seen import Counters, body, overlaid
from domain.moderation.verdicts import AuditStatus
from models.counters import EntityRef
from settings import POSTS
from store import keys
from store.keys import Keys
from store.write_log.pending import Pending

ID, AUTHOR, MOMENT, TEXT, IMAGES, TOPICS, STATUS, REASON, DELETED, EDITED = range(10)

Post = list[Any]
"""A post as Redis caches it: a list of values, whose positions the constants above name."""
User = dict[str, Any]
NodeOf = Callable[[Post, Counters, str | None, User], dict[str, Any]]
"""Makes the response object of a post, from the cached post, its counters, the viewer's reaction and its author."""


def is_visible(post: Post, viewer: int) -> bool:
    """Returns whether a viewer may see a post, by its status and author."""
    return (post[AUTHOR] == viewer or post[STATUS] == AuditStatus.APPROVED) and not post[DELETED]


async def nodes(
    redis: Any, state_keys: Keys, hidden: HiddenUsers, viewer: int, posts: list[Post], mine: Pending, node_of: NodeOf
) -> list[dict[str, Any]]:
    """Returns the response objects of posts, which `node_of` makes, with counters, the viewer's reactions and authors.
    `mine` are the viewer's pending changes. Fails if an author is hidden from the viewer.
    """
    authors = list({post[AUTHOR]: None for post in posts})
    refs = [EntityRef(POSTS, post[ID]) for post in posts]
    pipeline = redis.pipeline(transaction=False)
    pipeline.mget([keys.counts(ref) for ref in refs])
    pipeline.zmscore(state_keys.own_set("react", viewer, POSTS), [0, *(ref.entity_id for ref in refs)])
    pipeline.mget([keys.user(author) for author in authors])
    hidden.ask(pipeline, viewer)
    counts, (floor, *scores), profiles, boundaries = await pipeline.execute()
    assert floor is not None
    rows = [body(raw) for raw in profiles]
    hidden.check(viewer, rows, hidden.read(viewer, boundaries))
    users = {row["user_id"]: _author(row) for row in rows}
    counters = [body(raw) for raw in counts]
    shown = [
        node_of(post, some, None if score is None else "DISLIKE" if float(score) < 0 else "LIKE", users[post[AUTHOR]])
        for post, some, score in zip(posts, counters, scores, strict=True)
    ]
    if mine.histories:
        for one in zip(refs, shown, counters, strict=True):
            overlaid(*one, mine)
    return shown


def _author(user: dict[str, Any]) -> User:
    return {
        "id": f"User:{user['user_id']}",
        "handle": user["handle"],
        "displayName": user["display_name"],
    }
