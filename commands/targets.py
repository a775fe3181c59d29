"""Finds the objects that the ids in a mutation's input refer to. `field` is always the path of the input field with the
id, which the user errors name.
"""

from collections.abc import Awaitable, Callable, Sequence
from types import UnionType
from typing import NoReturn, TypeVar

from context import Context
from domain.errors import Forbidden, Refused, Unavailable, UserErrorCode
from domain.ids import CollectionId, CommentId, EntityId, GlobalId, PostId, TopicId, UserId, parse_id
from loaders import visible_topics
from loaders.loader import Loader
from loaders.request.content import Content
from models.collections import CollectionRow
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from models.topics import TopicRow
from models.users import UserRow
from settings import COMMENTS, POSTS
from store.people import identities

Subject = EntityRow | PostRow
"""A post or entity, which users can comment on, view and share."""
ReactableRow = Subject | CommentRow
"""A post, comment or entity, which users can like and dislike."""
ReportTarget = ReactableRow | UserRow | CollectionRow
"""A post, comment, entity, user or public collection, which users can report."""
T = TypeVar("T")
_NO_REACTABLE = "There is no post, comment or entity with this id."
_NO_COLLECTION = "There is no public collection with this id."
NO_ENTITY = "There is no entity with this id."
NO_TOPIC = "There is no topic with this id."
_MISSING = {UserErrorCode.TARGET_NOT_FOUND, UserErrorCode.TARGET_DELETED}


async def reactable(context: Context, target_id: str, *field: str) -> ReactableRow:
    """Returns the entity, post or comment with this id.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if no such object exists,
    if the viewer may not see it (because of a block, a private account or moderation), or if it is a deleted comment.
    """
    parsed = parse_id(target_id)
    if isinstance(parsed, CommentId):
        return await comment(context, target_id, *field)
    if not isinstance(parsed, (PostId, EntityId)):
        _not_found(_NO_REACTABLE, *field)
    context.own.boundaries.ask()
    return (await subjects(context, [target_id], *field))[0]


async def reacted(context: Context, target_id: str, *field: str) -> tuple[ReactableRow, bool]:
    """Returns the entity, post or comment from which a reaction is to be removed, and whether the viewer may see it.
    Also finds a post or comment that is hidden from the viewer because of a user: its author, or the author of its
    post.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if there is no such
    object, if moderation hides it, or if it is a deleted comment.
    """
    try:
        return await reactable(context, target_id, *field), True
    except Refused:
        hidden = await _hidden_by_user(context, target_id)
        if hidden is None:
            raise
        return hidden, False


async def unless_missing(target_id: str, types: type | UnionType, writing: Awaitable[T]) -> T | None:
    """Returns the result of `writing`, a write that may also change objects that are hidden from the viewer. Returns
    None if the write is refused because the object is missing or deleted, and `target_id` is an id of one of these
    types. So clients cannot tell a hidden object from a missing one. Raises every other error of the write.
    """
    try:
        return await writing
    except Refused as refused:
        if {error.code for error in refused.errors} <= _MISSING and isinstance(parse_id(target_id), types):
            return None
        raise


async def kept(context: Context, target_id: str, *field: str) -> tuple[EntityRef, ReactableRow | None]:
    """Returns the entity, post or comment whose save is to be removed: its business and number, and its row. The row is
    None if the object is deleted, removed or hidden from the viewer, or if there is no such post or comment.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused for an unknown entity and
    for ids of other types.
    """
    parsed = parse_id(target_id)
    if not isinstance(parsed, (PostId, CommentId, EntityId)):
        _not_found(_NO_REACTABLE, *field)
    check_business(context, parsed.business)
    if isinstance(parsed, PostId):
        post = await context.content.posts.load(parsed.id)
        return post.reactions_ref if post else EntityRef(POSTS, parsed.id), post
    if isinstance(parsed, CommentId):
        row = await context.content.comments.load(parsed.id)
        is_shown = row is not None and not row.deleted and row.global_id == target_id
        return EntityRef(COMMENTS, parsed.id), row if is_shown else None
    entity = await _kept_entity(context, parsed, *field)
    return entity.ref, None if entity.removed else entity


async def _hidden_by_user(context: Context, target_id: str) -> PostRow | CommentRow | None:
    """Returns the post or comment with this id if it is hidden from the viewer only because of a user: its author, or
    the author of its post. Call this function only after `reactable` has refused the id: it does not check whether the
    post or comment is hidden. Returns None if the post or comment does not exist, was deleted, or if moderation hides
    it, or its post, from the viewer.
    """
    viewer_id, parsed = context.require_viewer().user_id, parse_id(target_id)
    if isinstance(parsed, PostId):
        return await _approved_post(context, viewer_id, parsed.id)
    row = await context.content.kept_comments.load(parsed.id) if isinstance(parsed, CommentId) else None
    if row is None or row.global_id != target_id or row.seen_by(viewer_id, moderates=False) is not row:
        return None
    return row if row.post_id is None or await _approved_post(context, viewer_id, row.post_id) else None


async def _approved_post(context: Context, viewer_id: int, post_id: int) -> PostRow | None:
    post = await context.content.kept_posts.load(post_id)
    return post if post and post.is_visible_to(viewer_id, moderates=False) else None


def announced(row: object) -> EntityRef | None:
    """Returns the reference of the entity that a post announces; None for every other row."""
    return row.announced if isinstance(row, PostRow) else None


async def contents(context: Context, rows: Sequence[T]) -> list[T | EntityRow]:
    """Returns the rows, with the entity in place of each post that announces it, because the entity has its reactions
    and comments. A post whose entity was removed, or cannot be read, stays in its place.
    """
    refs = [ref for row in rows if (ref := announced(row))]
    found = dict(zip(refs, await context.content.entities_by_id.ask(refs, each=True), strict=True)) if refs else {}
    entities = [found.get(ref) if (ref := announced(row)) else None for row in rows]
    return [one if isinstance(one, EntityRow) else row for one, row in zip(entities, rows, strict=True)]


async def content(context: Context, row: T, *field: str) -> T | EntityRow:
    """Returns the entity that a post announces, and every other row as it is. Raises Refused if the entity was removed,
    Forbidden if the token is for other businesses, Unavailable if the entity cannot be read.
    """
    if (ref := announced(row)) is None:
        return row
    entity = await context.content.entities_by_id.load(ref)
    if entity is None:
        _not_found("There is no entity that this post announces any more.", *field)
    check_business(context, entity.business)
    return entity


async def comment(context: Context, comment_id: str, *field: str) -> CommentRow:
    """Returns the comment with this id.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if the comment does not
    exist, was deleted, or the viewer may not see it.
    """
    check_business(context, CommentId.business)
    row = await find(context, comment_id, CommentId, lambda content: content.comments)
    if row is None or row.global_id != comment_id:
        _not_found("There is no comment with this id.", *field)
    if row.deleted:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This comment was deleted.", *field)
    return row


async def moderated(context: Context, target_id: str, *field: str) -> PostRow | CommentRow:
    """Returns the post or comment with this id, for the decision of a moderator.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if there is no such post
    or comment, or the comment was deleted, or the viewer may not see it.
    """
    if isinstance(parse_id(target_id), CommentId):
        return await comment(context, target_id, *field)
    check_business(context, PostId.business)
    row = await find(context, target_id, PostId, lambda content: content.posts)
    if row is None:
        _not_found("There is no post or comment with this id.", *field)
    return row


async def own_content(context: Context, target_id: str, *field: str) -> PostRow | CommentRow:
    """Returns the viewer's post or comment with this id, even if a block hides it from the viewer, such as a comment on
    a post of a user who blocks the viewer.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if the viewer has no such
    post or comment, or it was deleted.
    """
    row: PostRow | CommentRow | None
    if isinstance(parse_id(target_id), CommentId):
        check_business(context, CommentId.business)
        row = await find(context, target_id, CommentId, lambda content: content.kept_comments)
    else:
        check_business(context, PostId.business)
        row = await find(context, target_id, PostId, lambda content: content.kept_posts)
    if row is None or row.global_id != target_id or row.author_id != context.require_viewer().user_id:
        _not_found("You have no post or comment with this id.", *field)
    if row.deleted:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This post or comment was deleted.", *field)
    return row


async def reportable(context: Context, target_id: str, *field: str) -> tuple[ReportTarget, bool]:
    """Returns the post, comment, entity, user or public collection that the viewer wants to report, and whether the
    viewer may see it. Also finds objects that a block or a suspension hides from the viewer.

    Raises BadInput for an invalid id; Forbidden if the token is for other businesses, or for a user or collection if
    the token is restricted to businesses; Refused if there is no such object, if moderation hides it, if it is a
    deleted comment, or if it is a private collection.
    """
    parsed = _reportable_id(target_id, *field)
    if isinstance(parsed, CollectionId):
        return await _public_collection(context, parsed, *field)
    if not isinstance(parsed, UserId):
        return await reacted(context, target_id, *field)
    check_unrestricted(context)
    found = await kept_user(context, target_id, *field)
    return found, await context.content.users.load(found.user_id) is not None


async def noticeable(context: Context, target_id: str, *field: str) -> ReportTarget:
    """Returns the post, comment, entity or user about whom the caller, with or without an account, sends a notice.

    Raises BadInput for an invalid id; Forbidden if the token is for other businesses, or for a user if the token is
    restricted to businesses; Refused if there is no such object, if the caller may not see it (except because of
    labels: readers of every age band send notices without an account), or if it is a deleted comment.
    """
    if not isinstance(_reportable_id(target_id, *field), UserId):
        context.content.labels.hide_nothing = True
        try:
            return await reactable(context, target_id, *field)
        finally:
            context.forget()  # what labels hide must not be in the rest of the answer
    check_unrestricted(context)
    return await user(context, target_id, *field)


async def reported(context: Context, target_id: str, *field: str) -> ReportTarget:
    """Returns the post, comment, entity, user or collection whose reports a moderator wants to decide. Also returns a
    removed entity and a private collection.

    Raises BadInput for an invalid id; Forbidden if the token is for other businesses, or for an entity, user or
    collection if the token is restricted to businesses; Refused if there is no such object, or it is a deleted comment.
    """
    parsed = _reportable_id(target_id, *field)
    if not isinstance(parsed, (UserId, EntityId, CollectionId)):
        return await moderated(context, target_id, *field)
    check_unrestricted(context)
    if isinstance(parsed, CollectionId):
        return existing(await _collection(context, parsed), _NO_COLLECTION, *field)
    if isinstance(parsed, UserId):
        return await kept_user(context, target_id, *field)
    return await _kept_entity(context, parsed, *field)


async def _public_collection(context: Context, id_: CollectionId, *field: str) -> tuple[CollectionRow, bool]:
    """Returns a public collection, and whether the viewer may see it. Raises Forbidden if the token is restricted to
    businesses, Refused if there is no such public collection.
    """
    check_unrestricted(context)
    found = await _collection(context, id_)
    row = existing(found if found and found.is_public else None, _NO_COLLECTION, *field)
    shown = await context.content.public_collections.load(id_.owner_id)
    return row, any(one.collection_id == id_.id for one in shown.rows)


async def _collection(context: Context, id_: CollectionId) -> CollectionRow | None:
    """Returns a collection, also a private one. Raises Unavailable if it is missing from what can be read while Redis
    is down: it may not be stored yet.
    """
    found = await context.own.collections.load(id_.owner_id)
    row = next((one for one in found.rows if one.collection_id == id_.id), None)
    if row is None and found.error:
        raise found.error
    return row


def _reportable_id(text: str, *field: str) -> PostId | CommentId | EntityId | UserId | CollectionId:
    parsed = parse_id(text)
    if not isinstance(parsed, (PostId, CommentId, EntityId, UserId, CollectionId)):
        _not_found("There is no post, comment, entity, user or collection with this id.", *field)
    return parsed


def author_of(target: ReportTarget) -> int | None:
    """Returns the id of the target's author or owner, or of the target itself if it is a user; None for an entity
    without owner.
    """
    return target.user_id if isinstance(target, UserRow) else target.owner_id


def check_not_own(context: Context, target: ReportTarget, *field: str) -> None:
    """Raises Refused with NOT_ALLOWED if the target is the viewer, or belongs to the viewer."""
    if author_of(target) == context.require_viewer().user_id:
        message = "Another moderator must decide about you and your content."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, *field)


def check_unrestricted(context: Context) -> None:
    """Raises Forbidden if the viewer's token is restricted to businesses."""
    if context.viewer and context.viewer.businesses is not None:
        raise Forbidden("This token is restricted to businesses.")


async def user(context: Context, user_id: str, *field: str) -> UserRow:
    """Returns the user with this id. Raises BadInput for an invalid id, Refused if the user does not exist, is deleted,
    or is hidden from the viewer by a block or a suspension.
    """
    row = await find(context, user_id, UserId, lambda content: content.users)
    if row is None or row.deletion is not None:
        _not_found("There is no user with this id.", *field)
    return row


async def kept_user(context: Context, user_id: str, *field: str) -> UserRow:
    """Returns the user with this id, even if a block or a suspension hides the user from the viewer. Raises BadInput
    for an invalid id, Refused if the user does not exist.
    """
    row = await find(context, user_id, UserId, lambda content: content.kept_users)
    if row is None:
        _not_found("There is no user with this id.", *field)
    return row


async def issued_user(context: Context, user_id: str, *field: str) -> UserRow:
    """Returns the user with this id, for a service that acts on the account of a user of its issuer. Raises
    Unauthenticated, Forbidden without the scope `users:write`, BadInput for an invalid id, Unavailable; Refused if no
    user of the issuer of the caller's token has this id.
    """
    issuer = context.require_scope("users:write").issuer
    row = await kept_user(context, user_id, *field)
    if await identities.subject_of(context.state.postgres, issuer, row.user_id) is None:
        _not_found("The issuer of your token has no user with this id.", *field)
    return row


async def entity(context: Context, entity_id: str, *field: str) -> EntityRow:
    """Returns the entity with this id.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if there is no such
    entity, if it was removed or a label hides it from the viewer, and for ids of other types.
    """
    row = await kept_entity(context, entity_id, *field)
    check_business(context, row.business)
    return existing(await context.content.entities_by_id.load(row.ref), NO_ENTITY, *field)


async def kept_entity(context: Context, entity_id: str, *field: str) -> EntityRow:
    """Returns the entity with this id, even if it was removed. Raises BadInput for an invalid id, Refused if there is
    no such entity.
    """
    parsed = parse_id(entity_id)
    if not isinstance(parsed, EntityId):
        _not_found(NO_ENTITY, *field)
    return await _kept_entity(context, parsed, *field)


async def _kept_entity(context: Context, entity_id: EntityId, *field: str) -> EntityRow:
    business, row = context.state.external.get(entity_id.business), None
    if business:
        key = business.id, entity_id.key
        row = await _reload_if_missing(context, lambda: context.content.kept_entities.load(key))
    return existing(row, NO_ENTITY, *field)


async def kept_topic(context: Context, topic_id: str, *field: str) -> tuple[str, TopicRow | None]:
    """Returns the key of a topic, and its row: None if there is no such topic, or if the viewer may see none of its
    newest posts. Raises BadInput for an invalid id, Unavailable; Refused for an id of another type.
    """
    parsed = parse_id(topic_id)
    if not isinstance(parsed, TopicId):
        _not_found(NO_TOPIC, *field)
    return parsed.key, await _reload_if_missing(context, lambda: _topic(context, parsed.key))


async def _topic(context: Context, key: str) -> TopicRow | None:
    found = await context.content.topics.ask([key], each=True)
    (row,) = await visible_topics.rows(context.content, [key], found)
    if isinstance(row, Exception):
        raise row
    return row


async def check_owner(context: Context, row: ReactableRow, *field: str) -> None:
    """Raises Refused with BLOCKED if the owner of an object blocks the viewer, or the viewer blocks the owner.

    Viewers who are not moderators get this error for entities only: posts and comments are hidden by a block, so they
    are not found in the first place.
    """
    if row.owner_id and await context.own.boundaries.hidden_among([row.owner_id]):
        message = "You cannot do this, because you block the owner of this object or are blocked by them."
        raise Refused.because(UserErrorCode.BLOCKED, message, *field)


async def subjects(context: Context, target_ids: Sequence[str], *field: str) -> list[Subject]:
    """Returns the entities and posts with these ids, in order, read in one batch.

    Raises BadInput for an invalid id, Forbidden if the token is for other businesses, Refused if an entity or post does
    not exist or the viewer may not see it.
    """
    parsed = [parse_id(target_id) for target_id in target_ids]
    for one in parsed:
        if isinstance(one, (EntityId, PostId)):
            check_business(context, one.business)
    rows = await _reload_if_missing(context, lambda: _subjects(context, parsed))
    if rows is None:
        _not_found("There is no post or entity with this id.", *field)
    return rows


async def _subjects(context: Context, ids: Sequence[GlobalId]) -> list[Subject] | None:
    """Returns the posts and entities with these ids, in order; None if one is missing."""
    businesses = context.state.external
    entities = [one for one in ids if isinstance(one, EntityId) and one.business in businesses]
    keys = [(businesses[one.business].id, one.key) for one in entities]
    posts = [one.id for one in ids if isinstance(one, PostId)]
    coming = context.content.posts.ask(posts), context.content.entities.ask(keys)
    found: dict[GlobalId, Subject | None] = dict(zip(map(PostId, posts), await coming[0], strict=True))
    found |= dict(zip(entities, await coming[1], strict=True))
    rows = [row for one in ids if (row := found.get(one))]
    return rows if len(rows) == len(ids) else None


async def find(
    context: Context,
    text: str,
    type_: type[UserId | PostId | CommentId],
    loader: Callable[[Content], Loader[int, T | None]],
) -> T | None:
    """Returns the object with the id `text`, from the loader that `loader` selects. Returns None if the id is of
    another type than `type_`, or if the loader finds no object. Raises BadInput for an invalid id.
    """
    parsed = parse_id(text)
    if not isinstance(parsed, type_):
        return None
    return await _reload_if_missing(context, lambda: loader(context.content).load(parsed.id))


async def _reload_if_missing(context: Context, load: Callable[[], Awaitable[T | None]]) -> T | None:
    """Returns the result of `load`. If the result is None, forgets the loaded values and loads once more.

    A cache that was down may wrongly say that an object does not exist, and the refusal would be stored with the
    idempotency key.
    """
    found = await load()
    if found is None:
        context.forget()
        found = await load()
    return found


def is_approved(row: PostRow | CommentRow) -> bool:
    """Returns whether a post or comment is public. Raises Unavailable if its row is not stored yet or cannot be read:
    moderation may not have decided yet.
    """
    if row.version == 0 and not row.deleted:
        raise Unavailable
    return row.is_public


def check_business(context: Context, business: str) -> None:
    """Raises Forbidden if the viewer's token is not for this business."""
    if not context.is_for(business):
        raise Forbidden("This token is restricted to other businesses.")


def existing(row: T | None, message: str, *field: str) -> T:
    """Returns the row. Raises Refused with TARGET_NOT_FOUND and this message if it is None."""
    if row is None:
        _not_found(message, *field)
    return row


def _not_found(message: str, *field: str) -> NoReturn:
    raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, message, *field)
