"""The hand-written page of entities with counters, the viewer's reactions, owners, and the follows between owners and
the viewer.
"""

from typing import Any

from bench.by_hand.hidden import HiddenUsers
from bench.by_hand.seen import Counters, Relations, body, counted, value, waiting
from models.counters import CounterKind, EntityRef
from models.likes import REACT, Reaction
from settings import Settings
from store import keys
from store.keys import Keys
from store.write_log.pending import Pending

_SHOWN = [
    ("likeCount", str(int(CounterKind.LIKES))),
    ("dislikeCount", str(int(CounterKind.DISLIKES))),
    ("viewCount", str(int(CounterKind.VIEWS))),
    ("shareCount", str(int(CounterKind.SHARES))),
]


class Entities:
    """Answers the page of entities."""

    def __init__(self, settings: Settings, redis: Any) -> None:
        self._keys = Keys(settings.partitions)
        (self._business,) = (business for business in settings.businesses if business.name == "video")
        self._redis = redis
        self._relations = Relations(self._keys)
        self._hidden = HiddenUsers(self._keys)

    async def page(self, viewer: int, wanted: list[str]) -> list[dict[str, Any]]:
        """Returns the data of the page as the API would answer. `wanted` has the keys of the entities."""
        pipeline = self._redis.pipeline(transaction=False)
        self._hidden.ask_viewer(pipeline, viewer)
        pipeline.mget([keys.entity(self._business.id, key) for key in wanted])
        own_profile, documents = await pipeline.execute()
        self._hidden.check_viewer(own_profile)
        entities = [body(raw) for raw in documents]
        refs = [EntityRef(entity["business_id"], entity["entity_id"]) for entity in entities]
        owners = list(dict.fromkeys(entity["owner_id"] for entity in entities))
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.mget([keys.counts(ref) for ref in refs])
        pipeline.hgetall(self._keys.pending(viewer))
        pipeline.zmscore(self._keys.own_set("react", viewer, self._business.id), [0, *(ref.entity_id for ref in refs)])
        pipeline.mget([keys.user(owner) for owner in owners])
        self._hidden.ask(pipeline, viewer)
        counts, changes, (floor, *scores), profiles, boundaries = await pipeline.execute()
        assert floor is not None
        mine = waiting(self._keys.partition_of(viewer), changes)
        users = [body(raw) for raw in profiles]
        self._hidden.check(viewer, users, self._hidden.read(viewer, boundaries))
        shown_owners = await self._owners(viewer, owners, users)
        counters = [body(raw) for raw in counts]
        shown = [_shown(*one, shown_owners) for one in zip(entities, counters, scores, strict=True)]
        if mine.histories:
            for one in zip(refs, shown, counters, strict=True):
                _overlay(*one, mine)
        return shown

    async def _owners(self, viewer: int, owners: list[int], users: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hgetall(self._keys.pending(viewer, "follow"))
        self._relations.ask(pipeline, viewer, owners)
        changes, *answers = await pipeline.execute()
        mine = waiting(self._keys.partition_of(viewer), changes)
        relations = self._relations.read(viewer, owners, answers, mine)
        return {user["user_id"]: owner(user, relations) for user in users}


def owner(user: dict[str, Any], relations: dict[int, str]) -> dict[str, Any]:
    """Returns the response object of a user from a cached profile. `relations` has the viewer's relations by user."""
    user_id = user["user_id"]
    return {
        "id": f"User:{user_id}",
        "handle": user["handle"],
        "displayName": user["display_name"],
        "viewerRelation": relations[user_id],
    }


def _shown(
    entity: dict[str, Any], counters: Counters, score: float | None, owners: dict[int, dict[str, Any]]
) -> dict[str, Any]:
    shown = {"id": f"Entity:{entity['business']}:{entity['key']}", "title": entity["title"]}
    for field, kind in _SHOWN:
        shown[field] = value(counters, kind)
    shown["viewerReaction"] = None if score is None else "DISLIKE" if float(score) < 0 else "LIKE"
    shown["owner"] = owners[entity["owner_id"]]
    return shown


def _overlay(ref: EntityRef, shown: dict[str, Any], counters: Counters, mine: Pending) -> None:
    """Changes the response object of an entity so that it includes the viewer's pending reaction."""
    for history in mine.among(REACT, [ref]).values():
        shown["likeCount"] = counted(counters, CounterKind.LIKES, mine, REACT, ref, lambda s: s == Reaction.LIKE)
        shown["dislikeCount"] = counted(
            counters, CounterKind.DISLIKES, mine, REACT, ref, lambda s: s == Reaction.DISLIKE
        )
        shown["viewerReaction"] = (None, "LIKE", "DISLIKE")[history.latest]
