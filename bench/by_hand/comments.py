"""The hand-written page of posts with their hottest comments. It reads posts, lists, comments and all their details in
three round trips.
"""

from typing import Any

from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.seen import Counters, above, body, newest_of, overlaid, time_of, value, waiting
from domain.moderation.verdicts import AuditStatus
from models.counters import CounterKind, EntityRef
from settings import COMMENTS, POSTS, Settings
from store import keys
from store.keys import Keys
from store.write_log.pending import Pending

_FIRST = 3
_OF_POSTS = [
    ("likeCount", str(int(CounterKind.LIKES))),
    ("dislikeCount", str(int(CounterKind.DISLIKES))),
    ("commentCount", str(int(CounterKind.COMMENTS))),
]
_OF_COMMENTS = [*_OF_POSTS[:2], ("replyCount", str(int(CounterKind.REPLIES)))]
_POST_ID, _POST_AUTHOR, _POST_MOMENT, _POST_TEXT = range(4)
_POST_STATUS, _POST_DELETED = 6, 8
_ID, _BUSINESS = range(2)
_AUTHOR, _MOMENT, _TEXT, _STATUS, _DELETED, _FLOOR = 7, 8, 9, 11, 13, 15

Row = list[Any]
"""A post or comment as Redis caches it: a list of values, whose positions the constants above name."""
Node = dict[str, Any]


class Comments:
    """Answers the page of posts with comments, for viewers who have no pending posts or comments."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._keys = Keys(settings.partitions)
        self._hidden = HiddenUsers(self._keys)
        self._redis = redis

    async def page(self, viewer: int, wanted: list[str]) -> list[Node]:
        """Returns the data of the page as the API would answer: the posts with the ids `wanted`, each with its
        comments.
        """
        pipeline = self._redis.pipeline(transaction=False)
        self._hidden.ask_viewer(pipeline, viewer)
        pipeline.hgetall(self._keys.patches(viewer))
        pipeline.mget([keys.post(int(id_.removeprefix("Post:"))) for id_ in wanted])
        own_profile, patches, documents = await pipeline.execute()
        self._hidden.check_viewer(own_profile)
        assert not patches
        posts = [body(raw) for raw in documents]
        assert all(post[_POST_STATUS] == AuditStatus.APPROVED and not post[_POST_DELETED] for post in posts)
        nodes, lists, users, mine = await self._posts(viewer, posts)
        rows = await self._redis.mget([keys.comment(id_) for some in lists for id_ in some])
        comments = iter([body(raw) for raw in rows])
        each = [[next(comments) for _ in some] for some in lists]
        shown = iter(await self._comments(viewer, [one for some in each for one in some[:_FIRST]], users, mine))
        for node, some in zip(nodes, each, strict=True):
            below = [next(shown) for _ in some[:_FIRST]]
            node["comments"] = {"nodes": below, "pageInfo": {"hasNextPage": len(some) > _FIRST}}
        return nodes

    async def _posts(
        self, viewer: int, posts: list[Row]
    ) -> tuple[list[Node], list[list[int]], dict[int, Node], Pending]:
        """Reads what the page shows of the posts. Returns their response objects, the ids of each one's comments (one
        more than shown), the authors by id, and the viewer's pending changes.
        """
        refs, authors = (
            [EntityRef(POSTS, post[_POST_ID]) for post in posts],
            {post[_POST_AUTHOR]: None for post in posts},
        )
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hgetall(self._keys.pending(viewer))
        self._ask(pipeline, viewer, refs, list(authors))
        pipeline.mget([keys.hidden_comments(viewer)])
        self._hidden.ask(pipeline, viewer)
        for ref in refs:
            newest_of(pipeline, keys.hot_comments(ref), _FIRST + 1)
        changes, counts, scores, profiles, (own_hidden,), boundaries, *lists = await pipeline.execute()
        assert body(own_hidden) == []
        mine = waiting(self._keys.partition_of(viewer), changes)
        users = _people(viewer, profiles, self._hidden.read(viewer, boundaries))
        nodes = [_post(post) for post in posts]
        _complete(nodes, _OF_POSTS, refs, counts, scores, mine, [users[post[_POST_AUTHOR]] for post in posts])
        hottest = [above(*one, _FIRST + 1) for one in zip(lists[::2], lists[1::2], strict=True)]
        return nodes, [[id_ for _, id_ in some] for some in hottest], users, mine

    async def _comments(self, viewer: int, rows: list[Row], users: dict[int, Node], mine: Pending) -> list[Node]:
        """Returns the response objects of the comments in `rows`. `users` are the authors that were read before, and
        `mine` are the viewer's pending changes.
        """
        assert all(row[_STATUS] == AuditStatus.APPROVED and not row[_DELETED] for row in rows)
        refs = [EntityRef(COMMENTS, row[_ID]) for row in rows]
        unknown = list(dict.fromkeys(row[_AUTHOR] for row in rows if row[_AUTHOR] not in users))
        pipeline = self._redis.pipeline(transaction=False)
        self._ask(pipeline, viewer, refs, unknown)
        counts, scores, profiles = await pipeline.execute()
        users = users | _people(viewer, profiles, self._hidden.known(viewer))
        nodes = [_comment(row) for row in rows]
        _complete(nodes, _OF_COMMENTS, refs, counts, scores, mine, [users[row[_AUTHOR]] for row in rows])
        return nodes

    def _ask(self, pipeline: Any, viewer: int, refs: list[EntityRef], people: list[int]) -> None:
        pipeline.mget([keys.counts(ref) for ref in refs])
        pipeline.zmscore(
            self._keys.own_set("react", viewer, refs[0].business_id), [0, *(ref.entity_id for ref in refs)]
        )
        pipeline.mget([keys.user(one) for one in people])


def _complete(
    nodes: list[Node],
    shown: list[tuple[str, str]],
    refs: list[EntityRef],
    counts: list[bytes],
    scores: list[float | None],
    mine: Pending,
    authors: list[Node],
) -> None:
    """Adds counters, the viewer's reactions and authors to the response objects `nodes`. `refs`, `counts` and `authors`
    have one item for each of them; so does `scores`, after the floor of the viewer's set of reactions. `shown` has the
    counters to add, as (field, kind), and `mine` the viewer's pending changes.
    """
    floor, *reactions = scores
    assert floor is not None
    for node, ref, raw, score, author in zip(nodes, refs, counts, reactions, authors, strict=True):
        counters: Counters = body(raw)
        for field, kind in shown:
            node[field] = value(counters, kind)
        node["viewerReaction"] = None if score is None else "DISLIKE" if float(score) < 0 else "LIKE"
        if mine.histories:
            overlaid(ref, node, counters, mine)
        node["author"] = author


def _people(viewer: int, profiles: list[bytes], hidden: frozenset[int]) -> dict[int, Node]:
    """Returns the response objects of authors by id, from their cached profiles. Fails if one of them is hidden from
    the viewer.
    """
    users = [body(raw) for raw in profiles]
    HiddenUsers.check(viewer, users, hidden)
    return {
        user["user_id"]: {
            "id": f"User:{user['user_id']}",
            "handle": user["handle"],
            "displayName": user["display_name"],
        }
        for user in users
    }


def _post(post: Row) -> Node:
    return {
        "id": f"Post:{post[_POST_ID]}",
        "text": post[_POST_TEXT],
        "createdAt": time_of(post[_POST_MOMENT] >> 10),
    }


def _comment(row: Row) -> Node:
    return {
        "id": f"Comment:{row[_BUSINESS]}.{row[_ID]}",
        "text": row[_TEXT],
        "floor": row[_FLOOR],
        "createdAt": time_of(row[_MOMENT] >> 10),
        "deleted": row[_DELETED],
    }
