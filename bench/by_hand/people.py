"""The hand-written page of users with their newest followers, and with the follows between all of them
and the viewer.
"""

from typing import Any

from bench.by_hand.entities import owner
from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.seen import Counters, Relations, body, counted, value, waiting
from loaders.pending_items import OwnItems, joined
from models.counters import CounterKind, EntityRef
from models.follows import FOLLOW
from settings import USERS, Settings
from store import keys
from store.cache.lists import ROOM, Item
from store.keys import Keys
from store.write_log.pending import Pending

_FOLLOWERS = 5
_FOLLOWER_COUNT = str(int(CounterKind.FOLLOWERS))


class People:
    """Answers the page of users."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._issuer = settings.issuer
        self._keys = Keys(settings.partitions)
        self._redis = redis
        self._relations = Relations(self._keys)
        self._hidden = HiddenUsers(self._keys)

    async def page(self, viewer: int, subjects: list[str]) -> list[dict[str, Any]]:
        """Returns the data of the page as the API would answer. `subjects` are the users' ids at the
        identity provider.
        """
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.identity(self._issuer, subject) for subject in subjects])
        self._hidden.ask_viewer(pipeline, viewer)
        identities, own_profile = await pipeline.execute()
        self._hidden.check_viewer(own_profile)
        ids = [body(raw) for raw in identities]
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.user(id_) for id_ in ids])
        self._hidden.ask(pipeline, viewer)
        profiles, boundaries = await pipeline.execute()
        users = [body(raw) for raw in profiles]
        self._hidden.check(viewer, users, self._hidden.read(viewer, boundaries))
        counts, changes, follows, marks, *lists = await self._level(viewer, ids)
        mine = waiting(self._keys.partition_of(viewer), changes)
        relations = self._relations.read(viewer, ids, (follows, marks), mine)
        followers = [
            _newest(items, floor, joined(mine, FOLLOW, viewer, EntityRef(USERS, id_)))
            for id_, items, floor in zip(ids, lists[::2], lists[1::2], strict=True)
        ]
        known = {user["user_id"]: owner(user, relations) for user in users}
        known |= await self._others(viewer, [one for some in followers for one in some if one not in known], mine)
        numbers = [_count(id_, body(raw), mine) for id_, raw in zip(ids, counts, strict=True)]
        return [
            known[id_] | {"followerCount": number, "followers": {"nodes": [known[one] for one in some]}}
            for id_, number, some in zip(ids, numbers, followers, strict=True)
        ]

    async def _level(self, viewer: int, ids: list[int]) -> list[Any]:
        """Reads, in one round trip, what the page shows of the users `ids`: counters, the viewer's pending follows,
        follows in both directions, and the cached lists of followers with their floors.
        """
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.counts(EntityRef(USERS, id_)) for id_ in ids])
        pipeline.hgetall(self._keys.pending(viewer, "follow"))
        self._relations.ask(pipeline, viewer, ids)
        for id_ in ids:
            key, count = keys.followers(id_), _FOLLOWERS + 2 + ROOM
            pipeline.zrange(key, "+inf", "(0", desc=True, byscore=True, offset=0, num=count, withscores=True)
            pipeline.zscore(key, 0)
        answers: list[Any] = await pipeline.execute()
        return answers

    async def _others(self, viewer: int, ids: list[int], mine: Pending) -> dict[int, dict[str, Any]]:
        """Reads the profiles of the users `ids`, and the follows between them and the viewer. Returns their response
        objects by id. `mine` are the viewer's pending follows.
        """
        wanted = list(dict.fromkeys(ids))
        users = [body(raw) for raw in await self._redis.mget([keys.user(id_) for id_ in wanted])]
        self._hidden.check(viewer, users, self._hidden.known(viewer))
        pipeline = self._redis.pipeline(transaction=False)
        self._relations.ask(pipeline, viewer, wanted)
        relations = self._relations.read(viewer, wanted, await pipeline.execute(), mine)
        return {user["user_id"]: owner(user, relations) for user in users}


def _newest(items: list[tuple[bytes, float]], floor: float | None, own: OwnItems) -> list[int]:
    """Returns the ids of the newest followers in a cached list, which is complete above `floor`. `own` has the viewer's
    pending follow, which the list may lack.
    """
    assert floor is not None
    listed = [Item(int(moment), int(member)) for member, moment in items if moment > floor]
    others = [item for item in listed if item.member not in own]
    newest = sorted([*others, *filter(None, own.values())], reverse=True)[:_FOLLOWERS]
    assert len(newest) == _FOLLOWERS or floor == 0
    return [item.member for item in newest]


def _count(user_id: int, counters: Counters, mine: Pending) -> int:
    ref = EntityRef(USERS, user_id)
    if mine.among(FOLLOW, [ref]):
        return counted(counters, CounterKind.FOLLOWERS, mine, FOLLOW, ref, int)
    return value(counters, _FOLLOWER_COUNT)
