"""Turns the demo data into entries of journals, the Redis streams from which workers store changes. The entries are the
same as those of people who send requests.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from domain import topics
from domain.digests import digest
from models.actions import VIEW
from models.attachments import plain
from models.collections import COLLECTION
from models.counters import EntityRef
from models.follows import FOLLOW
from models.likes import REACT, Reaction
from models.patches import COMMENT, POST
from models.reposts import REPOST
from models.saves import DEFAULT, NOT_SAVED, SAVE
from seed.comments import Comment
from seed.community import COLLECTIONS_AGE, Community, Post, Reacted
from seed.saves import COLLECTIONS, Save
from settings import COMMENTS, POSTS
from store.reactions.actions import HOUR_MS
from store.write_log.claims import Name

_CLIENT = {"ip": None, "device": None, "client": "seed"}


class Act(NamedTuple):
    """One action of one person, such as a like, as an entry of the person's journal. `age` is in milliseconds before
    now.
    """

    age: int
    actor_id: int
    fields: Mapping[str, Any]
    """The fields of the journal entry, by name."""


class Thing(NamedTuple):
    """The reference of an entity, post or comment in the deployment, and the id of its owner or author."""

    ref: EntityRef
    owner_id: int | None


class Written(NamedTuple):
    """A post or comment of the demo data, with the name of its claim: the author's id, the business, and a digest of
    the idempotency key. Postgres stores permanently which id was published under this name.
    """

    content: Post | Comment
    name: Name

    def under(self, written_id: int) -> Thing:
        """Returns the reference of this post or comment, with its author, if its id is `written_id`."""
        return Thing(EntityRef(self.name.business_id, written_id), self.name.author_id)


def written(community: Community, user_ids: Sequence[int]) -> list[Written]:
    """Returns all posts, followed by all comments. `user_ids` has the id of each person, in the order of
    `community.people`.
    """
    found: list[Written] = []
    for business_id, contents in ((POSTS, community.posts), (COMMENTS, community.comments)):
        found += [Written(one, Name(user_ids[one.author], business_id, digest(one.key))) for one in contents]
    return found


def acts(
    community: Community,
    user_ids: Sequence[int],
    texts: Sequence[Written],
    text_ids: Sequence[int],
    known: Container[int],
    things: Sequence[Thing],
    collection_ids: Sequence[int],
    shows_images: bool,
) -> list[Act]:
    """Returns all actions of the demo data, oldest first. Leaves out the publication of posts and comments whose
    indexes in `texts` are in `known`, because they exist already. `text_ids` has the id of each post and comment in
    `texts`.

    `user_ids` and `things` are in the order of `community.people` and `community.things`, `collection_ids` in the order
    of `COLLECTIONS`. Posts have images only if `shows_images` is true, because the deployment then serves the demo
    images.
    """
    there = [text.under(id_) for text, id_ in zip(texts, text_ids, strict=True)]
    posts, comments = there[: len(community.posts)], there[len(community.posts) :]
    new = [at for at in range(len(texts)) if at not in known]
    found = [
        *_follows(community, user_ids),
        *(_written(texts[at], text_ids[at], [*posts, *things], comments, shows_images) for at in new),
        *_reposts(community.reposts, user_ids, posts),
        *_reactions(community.likes, user_ids, posts),
        *_views(community.likes, user_ids, posts, community.now_ms),
        *_collections(user_ids, collection_ids),
        *_saves(community.saves, user_ids, posts, collection_ids),
        *_reactions(community.reactions, user_ids, things),
        *_reactions(community.comment_likes, user_ids, comments),
    ]
    return sorted(found, key=lambda act: -act.age)


def _follows(community: Community, user_ids: Sequence[int]) -> Iterator[Act]:
    for follower, followee, age in community.follows:
        actor_id = user_ids[follower]
        data = {"actor": actor_id, "followee": user_ids[followee], **_CLIENT}
        yield Act(age, actor_id, {"kind": FOLLOW, "state": 1, "data": orjson.dumps(data)})


def _written(
    one: Written, written_id: int, subjects: Sequence[Thing], comments: Sequence[Thing], shows_images: bool
) -> Act:
    content, (author_id, _, key) = one
    claim = {"key": key, "fingerprint": digest(content.text)}
    if isinstance(content, Post):
        kind, said = POST, {"post": written_id, "op": "publish", **_post(content, subjects, shows_images)}
    else:
        kind, said = COMMENT, {"comment": written_id, "op": "add", **_comment(content, subjects, comments)}
    data = orjson.dumps({"actor": author_id, **said, **claim, **_CLIENT})
    return Act(content.age, author_id, {"kind": kind, "data": data})


def _post(post: Post, posts: Sequence[Thing], shows_images: bool) -> dict[str, Any]:
    images = plain(post.images) if shows_images else []
    said = {"text": post.text, "images": images, "topics": [topics.spelling(topic) for topic in post.topics]}
    if post.quotes is None:
        return said
    quoted = posts[post.quotes]
    return {**said, "quote": [quoted.ref.entity_id, quoted.owner_id]}


def _comment(comment: Comment, subjects: Sequence[Thing], comments: Sequence[Thing]) -> dict[str, Any]:
    subject = subjects[comment.subject]
    parent = None if comment.answers is None else comments[comment.answers]
    root = None if comment.root is None else comments[comment.root]
    return {
        "subject": [*subject.ref],
        "owner": subject.owner_id,
        "root": root and root.ref.entity_id,
        "parent": parent and parent.ref.entity_id,
        "replied_to": parent and parent.owner_id,
        "text": comment.text,
    }


def _reactions(reactions: Sequence[Reacted], user_ids: Sequence[int], targets: Sequence[Thing]) -> Iterator[Act]:
    for person, target, age, reaction in reactions:
        (business, entity), owner = targets[target]
        actor_id = user_ids[person]
        about = {"actor": actor_id, "business": business, "entity": entity, "owner": owner, "source": "seed"}
        about["verb"] = reaction.name.lower()
        fields = {"kind": REACT, "state": int(reaction), "was": int(Reaction.NONE)}
        yield Act(age, actor_id, {**fields, "data": orjson.dumps({**about, **_CLIENT})})


def _reposts(reposts: Sequence[tuple[int, int, int]], user_ids: Sequence[int], posts: Sequence[Thing]) -> Iterator[Act]:
    for person, post, age in reposts:
        (business, entity), owner = posts[post]
        data = orjson.dumps(
            {"actor": user_ids[person], "business": business, "entity": entity, "owner": owner, **_CLIENT}
        )
        yield Act(age, user_ids[person], {"kind": REPOST, "state": 1, "was": 0, "data": data})


def _collections(user_ids: Sequence[int], collection_ids: Sequence[int]) -> Iterator[Act]:
    for (owner, name, is_public), id_ in zip(COLLECTIONS, collection_ids, strict=True):
        after = {"name": name, "public": is_public}
        data = orjson.dumps({"actor": user_ids[owner], "collection": id_, **after})
        fields = {"kind": COLLECTION, "state": 1, "was": 0, "data": data}
        yield Act(COLLECTIONS_AGE, user_ids[owner], fields)


def _saves(
    saves: Sequence[Save], user_ids: Sequence[int], posts: Sequence[Thing], collection_ids: Sequence[int]
) -> Iterator[Act]:
    for person, post, age, collection in saves:
        (business, entity), _ = posts[post]
        data = orjson.dumps({"actor": user_ids[person], "business": business, "entity": entity})
        into = DEFAULT if collection is None else collection_ids[collection]
        yield Act(age, user_ids[person], {"kind": SAVE, "state": into, "was": NOT_SAVED, "data": data})


def _views(
    reactions: Sequence[Reacted], user_ids: Sequence[int], targets: Sequence[Thing], now_ms: int
) -> Iterator[Act]:
    """Yields a view for each of these likes, because a person who likes a post has viewed the post."""
    for person, target, age, _ in reactions:
        (business, entity), _ = targets[target]
        hour = (now_ms - age) // HOUR_MS
        data = {"actor": user_ids[person], "business": business, "entity": entity, "hour": hour, "once": True}
        yield Act(age, user_ids[person], {"kind": VIEW, "data": orjson.dumps(data)})
