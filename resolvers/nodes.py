"""Loads objects of all types by their ids."""

from collections.abc import Sequence
from typing import TypeVar

from commands.targets import ReactableRow
from context import Context
from domain.errors import BadInput, Unavailable
from domain.ids import (
    CollectionId,
    CommentId,
    EntityId,
    GlobalId,
    NotificationId,
    PostId,
    StatementId,
    TopicId,
    UserId,
    ViewerId,
    parse_id,
)
from loaders import notifications, visible_notifications, visible_topics
from models.collections import CollectionRow
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.notifications import NotificationRow
from models.posts import PostRow
from models.statements import StatementRow
from models.topics import TopicRow
from models.users import UserRow, ViewerRow
from settings import COLLECTIONS, COMMENTS, FIRST_EXTERNAL, POSTS, USERS, Business
from store.content.entities import EntityKey
from store.groups import grouped
from store.moderation import statements

NodeRow = (
    CollectionRow | CommentRow | EntityRow | NotificationRow | PostRow | StatementRow | TopicRow | UserRow | ViewerRow
)
Row = TypeVar("Row")
MOST = 100


async def by_ids(context: Context, ids: Sequence[str]) -> list[NodeRow | Exception | None]:
    """Resolves Query.node and Query.nodes: the object of each id; None if there is none or the viewer may not see it.
    The result has an exception in place of an object that cannot be read. If no object can be read, raises the first
    exception.

    Raises BadInput for more than 100 ids or a malformed id.
    """
    if len(ids) > MOST:
        raise BadInput(f"Pass at most {MOST} ids.")
    parsed = [parse_id(id_) for id_ in ids]
    found = await _found(context, parsed)
    if len(ids) == 1:
        context.own.require_exact(
            row.reactions_ref or row.ref for row in found.values() if isinstance(row, ReactableRow)
        )
    return answered([_viewer(context, one) if isinstance(one, ViewerId) else found.get(one) for one in parsed])


def answered(rows: list[Row]) -> list[Row]:
    """Returns the rows unchanged, some of which may be exceptions. If all rows are exceptions, raises the first."""
    if rows and all(isinstance(row, Exception) for row in rows):
        raise rows[0]  # type: ignore[misc]
    return rows


async def _found(context: Context, ids: Sequence[GlobalId]) -> dict[GlobalId, NodeRow | Exception | None]:
    """Returns objects by their ids: None for one that does not exist or that the viewer may not see, an exception for
    one that cannot be read. Leaves out ids of type ViewerId, and some of the objects that do not exist. Queues all
    loads first, so that they share a batch.
    """
    content = context.content
    users = [one for one in ids if isinstance(one, UserId)]
    posts = [one for one in ids if isinstance(one, PostId)]
    comments = [one for one in ids if isinstance(one, CommentId)]
    topics = [one for one in ids if isinstance(one, TopicId)]
    topic_keys = [one.key for one in topics]
    keys = {one: key for one in ids if isinstance(one, EntityId) and (key := _key(context, one))}
    asked_users = content.users.ask([one.id for one in users], each=True)
    asked_posts = content.posts.ask([one.id for one in posts], each=True)
    asked_comments = content.comments.ask([one.id for one in comments], each=True)
    asked_topics = content.topics.ask(topic_keys, each=True)
    asked_entities = content.entities.ask(list(keys.values()), each=True)
    return {
        **dict(zip(users, await asked_users, strict=True)),
        **dict(zip(posts, await asked_posts, strict=True)),
        **{
            one: row
            for one, row in zip(comments, await asked_comments, strict=True)
            if isinstance(row, Exception) or (row and row.global_id == str(one))
        },
        **dict(zip(keys, await asked_entities, strict=True)),
        **dict(zip(topics, await visible_topics.rows(content, topic_keys, await asked_topics), strict=True)),
        **await _collections(context, [one for one in ids if isinstance(one, CollectionId)]),
        **await _notifications(context, [one for one in ids if isinstance(one, NotificationId)]),
        **await _statements(context, [one for one in ids if isinstance(one, StatementId)]),
    }


async def _collections(context: Context, ids: Sequence[CollectionId]) -> dict[GlobalId, NodeRow | Exception | None]:
    """Returns the collections with these ids that the viewer may see: the viewer's own, and public ones. The value is
    None for others, and an exception for a collection that cannot be read.
    """
    own = context.account_id
    by_owner = grouped((one.owner_id, one) for one in ids)
    coming = [
        (context.own.collections if owner_id == own else context.content.public_collections).ask([owner_id], each=True)
        for owner_id in by_owner
    ]
    found: dict[GlobalId, NodeRow | Exception | None] = {}
    for some, reading in zip(by_owner.values(), coming, strict=True):
        (read,) = await reading
        if isinstance(read, Exception):
            found |= dict.fromkeys(some, read)
        else:
            rows = {row.collection_id: row for row in read.shown(context.degraded, "Query.node")}
            found |= {one: rows.get(one.id) for one in some}
    return found


async def _notifications(context: Context, ids: Sequence[NotificationId]) -> dict[GlobalId, NodeRow | Exception | None]:
    """Returns the viewer's notifications with these ids. The value is None for a notification of another user and for
    one that the viewer may not see, and an exception for one that cannot be read.
    """
    user_id, content = context.account_id, context.content
    if not ids or user_id is None:
        return {}
    try:
        newest = await visible_notifications.newest(context.own, content, user_id)
        found = await notifications.by_ids(context.state, user_id, newest, [one.id for one in ids])
        wanted = [found[one.id] for one in ids if one.id in found]
        visible, unreadable = await visible_notifications.visible(content, user_id, wanted)
    except Unavailable as error:
        return dict.fromkeys(ids, error)
    if unreadable:
        context.degraded.incomplete("Notification.actors", unreadable)
    rows = {row.notification_id: row for row in visible}
    return {one: rows.get(one.id, unreadable if one.id in found else None) for one in ids}


async def _statements(context: Context, ids: Sequence[StatementId]) -> dict[GlobalId, NodeRow | Exception | None]:
    """Returns the statements of reasons with these ids that are for the viewer. Leaves out others. The value is an
    exception for a statement that cannot be read.
    """
    user_id = context.account_id
    own = [one for one in ids if one.user_id == user_id]
    if not own or user_id is None:
        return {}
    try:
        found = await statements.by_id(context.state.postgres, user_id, [one.id for one in own])
    except Unavailable as error:
        return dict.fromkeys(own, error)
    return {one: found.get(one.id) for one in own}


async def by_refs(context: Context, refs: Sequence[EntityRef]) -> list[NodeRow | Exception | None]:
    """Returns the users, posts, comments, entities and collections of the viewer with these references (business id and
    internal id), in one batch.

    The result has None in place of an object that does not exist or that the viewer may not see, and an exception in
    place of an object that cannot be read.
    """
    content = context.content
    users = [ref for ref in refs if ref.business_id == USERS]
    posts = [ref for ref in refs if ref.business_id == POSTS]
    comments = [ref for ref in refs if ref.business_id == COMMENTS]
    entities = [ref for ref in refs if ref.business_id >= FIRST_EXTERNAL]
    asked_users = content.users.ask([ref.entity_id for ref in users], each=True)
    asked_posts = content.posts.ask([ref.entity_id for ref in posts], each=True)
    asked_comments = content.comments.ask([ref.entity_id for ref in comments], each=True)
    asked_entities = content.entities_by_id.ask(entities, each=True)
    found: dict[EntityRef, NodeRow | Exception | None] = {
        **dict(zip(users, await asked_users, strict=True)),
        **dict(zip(posts, await asked_posts, strict=True)),
        **dict(zip(comments, await asked_comments, strict=True)),
        **dict(zip(entities, await asked_entities, strict=True)),
        **await _own_collections(context, [ref for ref in refs if ref.business_id == COLLECTIONS]),
    }
    return [found.get(ref) for ref in refs]


async def _own_collections(context: Context, refs: Sequence[EntityRef]) -> dict[EntityRef, NodeRow | Exception | None]:
    """Returns those of these collections that belong to the viewer."""
    if not refs or context.account_id is None:
        return {}
    (found,) = await context.own.collections.ask([context.account_id], each=True)
    if isinstance(found, Exception):
        return dict.fromkeys(refs, found)
    return {row.ref: row for row in found.rows}


async def targets(context: Context, business: Business, ids: Sequence[int]) -> Sequence[ReactableRow | None]:
    """Returns the objects of one business by internal ids: posts, comments, or entities of a kind such as videos. The
    result has None for each object that does not exist, is deleted, or may not be seen by the viewer. Raises the first
    exception of an object that cannot be read.
    """
    if business.id == POSTS:
        return await context.content.posts.ask(ids)
    if business.id == COMMENTS:
        rows = await context.content.comments.ask(ids)
        return [row if row and not row.deleted else None for row in rows]
    return await context.content.entities_by_id.ask([EntityRef(business.id, id_) for id_ in ids])


def _key(context: Context, id_: EntityId) -> EntityKey | None:
    business = context.state.external.get(id_.business)
    return (business.id, id_.key) if business else None


def _viewer(context: Context, id_: ViewerId) -> ViewerRow | None:
    """Returns the viewer with this id, or None if the caller is not that user."""
    return ViewerRow(id_.id) if context.viewer and context.viewer.user_id == id_.id else None
