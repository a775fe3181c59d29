"""The hand-written home page. It merges the viewer's inbox with the viewer's own posts, and then reads posts, follows,
counters and authors.
"""

import time
from typing import Any

from bench.by_hand import posts
from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.posts import Post, User
from bench.by_hand.seen import Counters, Item, above, body, merged, newest_of, time_of, value, waiting
from domain.cursors import Cursors
from domain.images.signed_urls import Images
from domain.moderation.verdicts import AuditStatus
from models.counters import CounterKind
from models.follows import FOLLOW, FollowState
from settings import Settings
from store import keys
from store.content.big_accounts import MOST as MOST_PULLED
from store.content.inboxes import INBOX_LIFE_MS
from store.keys import Keys
from store.write_log.pending import Pending

_SHOWN = [
    ("likeCount", str(int(CounterKind.LIKES))),
    ("dislikeCount", str(int(CounterKind.DISLIKES))),
    ("viewCount", str(int(CounterKind.VIEWS))),
    ("shareCount", str(int(CounterKind.SHARES))),
]


class Home:
    """Answers the home page, for viewers who follow no big account and have no pending posts."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._keys = Keys(settings.partitions)
        self._hidden = HiddenUsers(self._keys)
        self._cursors, self._images = Cursors(settings.signing_key), Images(settings)
        self._life_ms = INBOX_LIFE_MS
        self._near_seconds, self._near_until = settings.local_cache_seconds, 0.0
        self._redis = redis
        self._authors: dict[int, int] = {}

    async def page(self, viewer: int, first: int) -> dict[str, Any]:
        """Returns the data of the page as the API would answer. `first` is the number of posts."""
        items = await self._newest(viewer, first + 1)
        read, followed, mine = await self._posts(viewer, [post_id for _, post_id in items])
        shown = [one for one in zip(items, read, strict=True) if _is_shown(one[1], viewer, followed)]
        assert len(shown) > first
        nodes = await posts.nodes(
            self._redis, self._keys, self._hidden, viewer, [post for _, post in shown[:first]], mine, self._node
        )
        newest, _ = items[0]
        end = self._cursors.seal(f"home:{viewer}", *shown[first - 1][0], -newest)
        return {"nodes": nodes, "pageInfo": {"hasNextPage": True, "endCursor": end}}

    async def _newest(self, viewer: int, count: int) -> list[Item]:
        """Returns the newest `count` posts, as (moment, id), from the viewer's inbox and own posts,
        without duplicates.
        """
        pipeline = self._redis.pipeline(transaction=False)
        self._hidden.ask_viewer(pipeline, viewer)
        pipeline.pexpire(keys.inbox(viewer), self._life_ms)
        newest_of(pipeline, keys.inbox(viewer), count)
        newest_of(pipeline, keys.own_posts(viewer), count)
        pipeline.hgetall(self._keys.patches(viewer))
        if asks_for_big := self._near_until <= time.monotonic():
            newest_of(pipeline, keys.pulled(), MOST_PULLED)
        own_profile, _, inbox, floor, own, own_floor, patches, *big = await pipeline.execute()
        self._hidden.check_viewer(own_profile)
        if asks_for_big:
            assert big[0] == []
            assert big[1] is not None
            self._near_until = time.monotonic() + self._near_seconds
        assert not patches
        return merged((above(inbox, floor, count), above(own, own_floor, count)), count)

    async def _posts(self, viewer: int, ids: list[int]) -> tuple[list[Post], dict[int, bool], Pending]:
        """Returns the cached posts with these ids, whether the viewer follows each author, and the viewer's pending
        changes.
        """
        authors = sorted({self._authors[id_] for id_ in ids if id_ in self._authors})
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.post(id_) for id_ in ids])
        pipeline.hgetall(self._keys.pending(viewer))
        pipeline.hgetall(self._keys.pending(viewer, "follow"))
        if authors:
            pipeline.zmscore(self._keys.own_set("follow", viewer), [0, *authors])
        documents, changes, own_follows, *follows = await pipeline.execute()
        read = [body(raw) for raw in documents]
        if unknown := sorted({post[posts.AUTHOR] for post in read} - set(authors)):
            follows.append(await self._redis.zmscore(self._keys.own_set("follow", viewer), [0, *unknown]))
        self._authors.update((post[posts.ID], post[posts.AUTHOR]) for post in read)
        followed: dict[int, bool] = {}
        for (complete, *scores), some in zip(follows, (authors or unknown, unknown), strict=False):
            assert complete is not None
            followed |= {author: score is not None and score > 0 for author, score in zip(some, scores, strict=True)}
        mine = waiting(self._keys.partition_of(viewer), {**changes, **own_follows})
        if mine.histories:
            followed |= {
                ref.entity_id: history.latest == FollowState.FOLLOWS for ref, history in mine.all_of(FOLLOW).items()
            }
        return read, followed, mine

    def _node(self, post: Post, counters: Counters, reaction: str | None, author: User) -> dict[str, Any]:
        edited, now_ms = post[posts.EDITED], time.time_ns() // 1_000_000
        node = {
            "id": f"Post:{post[posts.ID]}",
            "text": post[posts.TEXT],
            "createdAt": time_of(post[posts.MOMENT] >> 10),
            "editedAt": None if edited is None else time_of(edited),
        }
        for field, kind in _SHOWN:
            node[field] = value(counters, kind)
        node["viewerReaction"] = reaction
        node["auditStatus"] = AuditStatus(post[posts.STATUS]).name
        node["topics"] = [{"name": name} for name in post[posts.TOPICS]]
        node["images"] = [{"url": self._images.sign(url, now_ms), "alt": alt} for url, alt in post[posts.IMAGES]]
        node["author"] = author
        return node


def _is_shown(post: Post, viewer: int, followed: dict[int, bool]) -> bool:
    return posts.is_visible(post, viewer) and (post[posts.AUTHOR] == viewer or followed[post[posts.AUTHOR]])
