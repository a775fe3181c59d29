"""A home page: the inbox merged with the viewer's own posts, then posts, follows, counters and authors."""

import time
from typing import Any

from bench.by_hand.seen import Counters, Item, above, body, newest_of, overlaid, time_of, value, waiting
from domain.cursors import Cursors
from domain.images.signed_urls import Images
from domain.moderation.verdicts import AuditStatus
from models.counters import CounterKind, EntityRef
from settings import POSTS, Settings
from store import keys
from store.content.big_accounts import MOST as MOST_PULLED
from store.keys import Keys
from store.write_log.pending import FOLLOW

_DAY_MS = 86_400_000
_SHOWN = [
    ("likeCount", str(int(CounterKind.LIKES))),
    ("dislikeCount", str(int(CounterKind.DISLIKES))),
    ("viewCount", str(int(CounterKind.VIEWS))),
    ("shareCount", str(int(CounterKind.SHARES))),
]
_ID, _AUTHOR, _MOMENT, _TEXT, _IMAGES, _TOPICS, _STATUS, _REASON, _DELETED, _EDITED = range(10)

Post = list[Any]
"""A cached post in its stored form: the columns above, and versions."""


class Home:
    """The hand-written home page, for viewers who follow no big account and have no pending posts."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._keys = Keys(settings.partitions)
        self._cursors, self._images = Cursors(settings.signing_key), Images(settings)
        self._life_ms = int(settings.inbox_idle_days * _DAY_MS)
        self._near_seconds, self._near_until = settings.local_cache_seconds, 0.0
        self._redis = redis
        self._authors: dict[int, int] = {}

    async def page(self, viewer: int, first: int) -> dict[str, Any]:
        """Returns the page in the form of the API."""
        items = await self._newest(viewer, first + 1)
        posts, followed = await self._posts(viewer, [post_id for _, post_id in items])
        shown = [one for one in zip(items, posts, strict=True) if _is_shown(one[1], viewer, followed)]
        assert len(shown) > first
        nodes = await self._nodes(viewer, [post for _, post in shown[:first]])
        end = self._cursors.seal(f"home:{viewer}", *shown[first - 1][0], first)
        return {"nodes": nodes, "pageInfo": {"hasNextPage": True, "endCursor": end}}

    async def _newest(self, viewer: int, count: int) -> list[Item]:
        """Returns the newest posts of the inbox and of the viewer, without duplicates."""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.pexpire(keys.inbox(viewer), self._life_ms)
        newest_of(pipeline, keys.inbox(viewer), count)
        newest_of(pipeline, keys.own(viewer), count)
        pipeline.hgetall(self._keys.patches(viewer))
        if asks_for_big := self._near_until <= time.monotonic():
            newest_of(pipeline, keys.pulled(), MOST_PULLED)
        _, inbox, floor, own, own_floor, patches, *big = await pipeline.execute()
        if asks_for_big:
            assert big[0] == []
            assert big[1] is not None
            self._near_until = time.monotonic() + self._near_seconds
        assert not patches
        items = {*above(inbox, floor, count), *above(own, own_floor, count)}
        return sorted(items, reverse=True)[:count]

    async def _posts(self, viewer: int, ids: list[int]) -> tuple[list[Post], dict[int, bool]]:
        """Returns posts, and whether the viewer follows each author."""
        authors = sorted({self._authors[id_] for id_ in ids if id_ in self._authors})
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.post(id_) for id_ in ids])
        pipeline.hgetall(self._keys.pending_follows(viewer))
        if authors:
            pipeline.zmscore(self._keys.follows(viewer), [0, *authors])
        documents, changes, *follows = await pipeline.execute()
        posts = [body(raw) for raw in documents]
        if unknown := sorted({post[_AUTHOR] for post in posts} - set(authors)):
            follows.append(await self._redis.zmscore(self._keys.follows(viewer), [0, *unknown]))
        self._authors.update((post[_ID], post[_AUTHOR]) for post in posts)
        followed: dict[int, bool] = {}
        for (complete, *scores), some in zip(follows, (authors or unknown, unknown), strict=False):
            assert complete is not None
            followed |= {author: score is not None for author, score in zip(some, scores, strict=True)}
        mine = waiting(self._keys.partition_of(viewer), changes)
        if mine.histories:
            followed |= {ref.entity_id: bool(history.latest) for ref, history in mine.all_of(FOLLOW).items()}
        return posts, followed

    async def _nodes(self, viewer: int, posts: list[Post]) -> list[dict[str, Any]]:
        """Returns the nodes of posts with counters, the viewer's reactions, and authors."""
        authors = list({post[_AUTHOR]: None for post in posts})
        refs = [EntityRef(POSTS, post[_ID]) for post in posts]
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.counts(ref) for ref in refs])
        pipeline.zmscore(self._keys.reactions(viewer, POSTS), [0, *(ref.entity_id for ref in refs)])
        pipeline.mget([keys.user(author) for author in authors])
        pipeline.hgetall(self._keys.pending(viewer))
        counts, (floor, *scores), profiles, changes = await pipeline.execute()
        mine = waiting(self._keys.partition_of(viewer), changes)
        assert floor is not None
        users = {author: _author(body(raw)) for author, raw in zip(authors, profiles, strict=True)}
        counters, now_ms = [body(raw) for raw in counts], time.time_ns() // 1_000_000
        nodes = [self._node(*one, users, now_ms) for one in zip(posts, counters, scores, strict=True)]
        if mine.histories:
            for one in zip(refs, nodes, counters, strict=True):
                overlaid(*one, mine)
        return nodes

    def _node(
        self, post: Post, counters: Counters, score: float | None, users: dict[int, dict[str, Any]], now_ms: int
    ) -> dict[str, Any]:
        edited = post[_EDITED]
        node = {
            "id": f"Post:{post[_ID]}",
            "text": post[_TEXT],
            "createdAt": time_of(post[_MOMENT] >> 10),
            "editedAt": None if edited is None else time_of(edited),
        }
        for field, kind in _SHOWN:
            node[field] = value(counters, kind)
        node["viewerReaction"] = None if score is None else "DISLIKE" if int(score) % 2 else "LIKE"
        node["auditStatus"] = AuditStatus(post[_STATUS]).name
        node["topics"] = [{"name": name} for name in post[_TOPICS]]
        node["images"] = [{"url": self._images.sign(url, now_ms), "alt": alt} for url, alt in post[_IMAGES]]
        node["author"] = users[post[_AUTHOR]]
        return node


def _is_shown(post: Post, viewer: int, followed: dict[int, bool]) -> bool:
    own = post[_AUTHOR] == viewer
    return (own or (post[_STATUS] == AuditStatus.APPROVED and followed[post[_AUTHOR]])) and not post[_DELETED]


def _author(user: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"User:{user['user_id']}",
        "handle": user["handle"],
        "displayName": user["display_name"],
        "avatarUrl": user["avatar_url"],
    }
