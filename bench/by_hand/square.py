"""The hand-written square, which is the newest posts of all users. It merges the cached list with the viewer's own
posts, and then reads counters and authors.
"""

from typing import Any

from bench.by_hand import posts
from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.posts import Post, User
from bench.by_hand.seen import Counters, above, body, merged, newest_of, time_of, value, waiting
from domain.cursors import Cursors
from models.counters import CounterKind
from settings import Settings
from store import keys
from store.keys import Keys

_LIKES = str(int(CounterKind.LIKES))


class Square:
    """Answers the square, for viewers who have no pending posts."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._keys = Keys(settings.partitions)
        self._hidden = HiddenUsers(self._keys)
        self._cursors = Cursors(settings.signing_key)
        self._redis = redis

    async def page(self, viewer: int, first: int) -> dict[str, Any]:
        """Returns the data of the page as the API would answer. `first` is the number of posts."""
        pipeline = self._redis.pipeline(transaction=False)
        self._hidden.ask_viewer(pipeline, viewer)
        newest_of(pipeline, keys.square(), first + 1)
        newest_of(pipeline, keys.own_posts(viewer), first + 1)
        pipeline.hgetall(self._keys.patches(viewer))
        own_profile, newest, floor, own, own_floor, patches = await pipeline.execute()
        self._hidden.check_viewer(own_profile)
        assert not patches
        items = merged((above(newest, floor, first + 1), above(own, own_floor, first + 1)), first + 1)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.post(id_) for _, id_ in items])
        pipeline.hgetall(self._keys.pending(viewer))
        documents, changes = await pipeline.execute()
        read = zip(items, map(body, documents), strict=True)
        shown = [(item, post) for item, post in read if posts.is_visible(post, viewer)]
        assert len(shown) > first
        mine = waiting(self._keys.partition_of(viewer), changes)
        page = [post for _, post in shown[:first]]
        nodes = await posts.nodes(self._redis, self._keys, self._hidden, viewer, page, mine, _node)
        end = self._cursors.seal("square", *shown[first - 1][0], first)
        return {"nodes": nodes, "pageInfo": {"hasNextPage": True, "endCursor": end}}


def _node(post: Post, counters: Counters, reaction: str | None, author: User) -> dict[str, Any]:
    return {
        "id": f"Post:{post[posts.ID]}",
        "text": post[posts.TEXT],
        "createdAt": time_of(post[posts.MOMENT] >> 10),
        "likeCount": value(counters, _LIKES),
        "viewerReaction": reaction,
        "author": author,
    }
