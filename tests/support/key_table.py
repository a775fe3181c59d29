"""The table of keys in store/keys.py, and what the keys in Redis hold."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from store import keys
from tests.support.system import System

_ROW = re.compile(r"^\| (\{\S+?\}[^\s,]*)(?:, …:(\w+))? +\| (string|hash|zset|set|list|stream) ", re.MULTILINE)
_COMMENTS = {"Post.comments", "Entity.comments"}
FIELDS_BY_KEY: Mapping[str, Collection[str]] = {
    "{p}:own:react:<actor>:<biz>": {"User.likes"},
    "{p}:own:save:<actor>": {"Viewer.saved", "Collection.items"},
    "{p}:states:<kind>:<actor>": {"Viewer.saved", "Collection.items"},
    "{p}:own:follow:<actor>": {"User.following"},
    "{comments:<biz>:<id>}": _COMMENTS,
    "{oldest:<biz>:<id>}": _COMMENTS,
    "{hot_comments:<biz>:<id>}": _COMMENTS,
    "{snapshot:<token>}:<mark>": _COMMENTS,
    "{replies:<comment>}": {"Comment.replies"},
    "{outbox:<author>}": {"User.posts", "Viewer.home"},
    "{own:<author>}": {"User.posts", "Viewer.home"},
    "{inbox:<user>}": {"Viewer.home"},
    "{reposts:<user>}": {"Viewer.home"},
    "{reposted:<user>}": {"Viewer.home"},
    "{reposters:<post>}": {"Post.reposters", "RepostedBy.nodes"},
    "{p}:own:repost:<actor>": {"RepostedBy.nodes"},
    "{pinned_posts:<user>}": {"User.pinnedPosts"},
    "{square}": {"Query.square"},
    "{quotes:<post>}": {"Post.quotes"},
    "{about:<biz>:<id>}": {"Viewer.followedTopicsFeed", "Viewer.home"},
    "{under:<topic>}": {"Topic.posts", "Viewer.followedTopicsFeed", "Viewer.home"},
    "{hot:<topic>}": {"Query.square", "Topic.posts"},
    "{board:<biz>:<day>}": {"Query.leaderboard"},
    "{board:<biz>:week}": {"Query.leaderboard"},
    "{board:<biz>:all}": {"Query.leaderboard"},
    "{board:<biz>:<window>:<kind>}": {"Query.leaderboard"},
    "{recommended:<user>}": {"Viewer.recommended"},
    "{suggested:<user>}": {"Viewer.suggestedUsers", "SuggestedUser.followedBy"},
    "{found:<search>:<token>}": {"Query.searchPosts", "Query.searchComments"},
    "{notified:<user>}": {"Notification.actors"},
    "{likers:<biz>:<id>}": {"Post.likers", "Comment.likers", "Entity.likers"},
    "{reactors:<biz>:<id>:<kind>}": {"Post.reactors", "Comment.reactors", "Entity.reactors"},
    "{followers:<id>}": {"User.followers"},
    "{friends:<id>}": {"User.friends"},
    "{followed_by:<id>}": {"Post.likedByFollowed", "Comment.likedByFollowed", "Entity.likedByFollowed"},
}
"""The keys that hold lists of users, posts or comments, with the fields that show these lists."""


class KeyKind(NamedTuple):
    """A row of the table."""

    name: str
    """The key with placeholders, such as `{likers:<biz>:<id>}`."""
    type: str

    def matches(self, key: str) -> bool:
        """Returns whether a key of Redis is of this kind."""
        parts = re.split(r"(<\w+>)", self.name.replace("{p}", "{<p>}"))
        pattern = "".join("[^:{}]+" if part.startswith("<") else re.escape(part) for part in parts)
        return re.fullmatch(pattern, key) is not None


def key_kinds() -> list[KeyKind]:
    """Returns the rows of the table. Those with the fewest placeholders are first."""
    found = []
    for name, other, type_ in _ROW.findall(keys.__doc__ or ""):
        names = [name, f"{name.rpartition(':')[0]}:{other}}}"] if other else [name]  # {board:<biz>:week}, …:all
        found += [KeyKind(one, type_) for one in names]
    return sorted(found, key=lambda kind: kind.name.count("<"))


async def list_keys_with(system: System, ids: Collection[int]) -> set[str]:
    """Returns the kinds of the keys in Redis whose lists contain one of these ids. Each key in Redis must be in the
    table, with its type.
    """
    redis, kinds, found = system.state.redis.client, key_kinds(), set()
    words = [word for id_ in ids for word in (b"%d" % id_, id_.to_bytes(8, "big"))]  # snapshots hold binary ids
    async for key in redis.scan_iter(count=1000):
        kind = next((kind for kind in kinds if kind.matches(key.decode())), None)
        assert kind, f"{key.decode()} is not in the table of store/keys.py"
        assert (await redis.type(key)).decode() == kind.type, key
        if kind.name in FIELDS_BY_KEY:
            value = await _value(system, kind.type, key)
            found |= {kind.name for word in words if word in value}
    return found


async def _value(system: System, type_: str, key: bytes) -> bytes:
    redis = system.state.redis.client
    if type_ == "string":
        return await redis.get(key) or b""
    if type_ == "hash":
        return b" ".join(await redis.hkeys(key))
    return b" ".join(await (redis.zrange(key, 0, -1) if type_ == "zset" else redis.lrange(key, 0, -1)))
