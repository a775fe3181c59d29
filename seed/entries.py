"""What the journals are to say of a community: the same as if its people had done it themselves, each in their time."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import orjson

import ids
from models.counters import EntityRef
from models.likes import Reaction
from seed.community import Community, Post, Reacted
from settings import POSTS
from store import keys
from store.pending import FOLLOW, REACT, VIEW
from store.posts import POST
from store.records import HOUR_MS

_CLIENT = {"ip": None, "device": None, "client": "seed"}


class Act(NamedTuple):
    """Something somebody did."""

    age: int
    actor_id: int
    fields: Mapping[str, Any]
    """Of its journal entry."""


class Thing(NamedTuple):
    """An entity, and whose it is."""

    ref: EntityRef
    owner_id: int | None


def acts(
    community: Community, user_ids: Sequence[int], post_ids: Sequence[int], known: Set[int], things: Sequence[Thing]
) -> list[Act]:
    """Everything, oldest first, but for posts that are `known`. Ids and things are in the community's order."""
    posts = [Thing(EntityRef(POSTS, i), user_ids[p.author]) for i, p in zip(post_ids, community.posts, strict=True)]
    found = [
        *_follows(community, user_ids),
        *(_post(p, i, user_ids[p.author]) for i, p in zip(post_ids, community.posts, strict=True) if i not in known),
        *_reactions(community.likes, user_ids, posts),
        *_views(community.likes, user_ids, posts, community.now_ms),
        *_reactions(community.reactions, user_ids, things),
    ]
    return sorted(found, key=lambda act: -act.age)


def key_of(post: Post) -> str:
    """The idempotency key of a post as truth has it."""
    return keys.digest(post.key)


def _follows(community: Community, user_ids: Sequence[int]) -> Iterator[Act]:
    for follower, followee, age in community.follows:
        actor_id = user_ids[follower]
        data = {"actor": actor_id, "followee": user_ids[followee], **_CLIENT}
        yield Act(age, actor_id, {"kind": FOLLOW, "state": 1, "data": orjson.dumps(data)})


def _post(post: Post, post_id: int, author_id: int) -> Act:
    claim = {"key": key_of(post), "fingerprint": keys.digest(post.text)}
    about = {"actor": author_id, "post": post_id, "op": "publish", **claim}
    content = {"text": post.text, "images": [], "topics": [ids.topic(topic) for topic in post.topics]}
    return Act(post.age, author_id, {"kind": POST, "data": orjson.dumps({**about, **content, **_CLIENT})})


def _reactions(reactions: Sequence[Reacted], user_ids: Sequence[int], targets: Sequence[Thing]) -> Iterator[Act]:
    for person, target, age, reaction in reactions:
        (business, entity), owner = targets[target]
        actor_id = user_ids[person]
        about = {"actor": actor_id, "business": business, "entity": entity, "owner": owner, "source": "seed"}
        fields = {"kind": REACT, "state": int(reaction), "was": int(Reaction.NONE)}
        yield Act(age, actor_id, {**fields, "data": orjson.dumps({**about, **_CLIENT})})


def _views(
    reactions: Sequence[Reacted], user_ids: Sequence[int], targets: Sequence[Thing], now_ms: int
) -> Iterator[Act]:
    """Who likes something has looked at it."""
    for person, target, age, _ in reactions:
        (business, entity), _ = targets[target]
        hour = (now_ms - age) // HOUR_MS
        data = {"actor": user_ids[person], "business": business, "entity": entity, "hour": hour}
        yield Act(age, user_ids[person], {"kind": VIEW, "data": orjson.dumps(data)})
