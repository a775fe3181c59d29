"""Resolving what a write is about."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NoReturn, TypeVar

from context import Context
from domain.errors import Forbidden, Refused, UserErrorCode
from domain.ids import CommentId, EntityId, GlobalId, PostId, UserId, parse_id
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from models.users import UserRow
from settings import POSTS

Subject = EntityRow | PostRow
"""What people comment on, view and share."""
ReactableRow = Subject | CommentRow
"""What they react to."""
T = TypeVar("T")


async def reactable(context: Context, target_id: str, *field: str) -> ReactableRow:
    """What an id names, if the viewer may see it.

    Raises BadInput for what is no id, Forbidden for a token that is for other businesses, Refused for an id that names
    nothing of the kind, or a comment of which only its place is left.
    """
    parsed = parse_id(target_id)
    if isinstance(parsed, CommentId):
        return await comment(context, target_id, *field)
    return (await subjects(context, [target_id], *field))[0]


async def comment(context: Context, comment_id: str, *field: str) -> CommentRow:
    """The comment an id names, if the viewer may see what it says.

    Raises BadInput for what is no id, Forbidden for a token that is for other businesses, Refused for what the viewer
    may not see, or is none, or was deleted.
    """
    check_business(context, CommentId.business)
    parsed = parse_id(comment_id)
    row = None
    if isinstance(parsed, CommentId):
        row = await reload_if_missing(context, lambda: context.loaders.comments.load(parsed.id))
    if row is None or row.global_id != comment_id:
        _not_found("There is no comment with this id.", *field)
    if row.deleted:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This comment was deleted.", *field)
    return row


async def moderated(context: Context, target_id: str, *field: str) -> PostRow | CommentRow:
    """The post or comment that an id names. Raises as `comment` does."""
    parsed = parse_id(target_id)
    if isinstance(parsed, CommentId):
        return await comment(context, target_id, *field)
    check_business(context, PostId.business)
    row = (
        await reload_if_missing(context, lambda: context.loaders.posts.load(parsed.id))
        if isinstance(parsed, PostId)
        else None
    )
    if row is None:
        _not_found("There is no post or comment with this id.", *field)
    return row


async def user(context: Context, user_id: str, *field: str) -> UserRow:
    """The user an id names. Raises BadInput for what is no id, Refused for an id that names no user."""
    parsed = parse_id(user_id)
    row = (
        await reload_if_missing(context, lambda: context.loaders.users.load(parsed.id))
        if isinstance(parsed, UserId)
        else None
    )
    if row is None:
        _not_found("There is no user with this id.", *field)
    return row


async def subject(context: Context, subject_id: str, *field: str) -> Subject:
    """What an id names, to be commented on. Raises as `subjects` does."""
    return (await subjects(context, [subject_id], *field))[0]


async def subjects(context: Context, target_ids: Sequence[str], *field: str) -> list[Subject]:
    """What ids name, if the viewer may see it, in order and in one trip.

    Raises BadInput for what is no id, Forbidden for a token that is for other businesses, Refused for an id that names
    nothing of the kind.
    """
    parsed = [parse_id(target_id) for target_id in target_ids]
    for one in parsed:
        if isinstance(one, EntityId | PostId):
            check_business(context, one.business)
    rows = await reload_if_missing(context, lambda: _subjects(context, parsed))
    if rows is None:
        _not_found("There is no post or entity with this id.", *field)
    return rows


async def _subjects(context: Context, ids: Sequence[GlobalId]) -> list[Subject] | None:
    """All of them, else None."""
    keys = {one: key for one in ids if isinstance(one, EntityId) and (key := _key(context, one))}
    posts = [one.id for one in ids if isinstance(one, PostId)]
    coming = context.loaders.posts.ask(posts), context.loaders.entities.ask(list(keys.values()))
    found: dict[GlobalId, Subject | None] = dict(zip(map(PostId, posts), await coming[0], strict=True))
    found |= dict(zip(keys, await coming[1], strict=True))
    rows = [row for one in ids if (row := found.get(one))]
    return rows if len(rows) == len(ids) else None


async def reload_if_missing(context: Context, look: Callable[[], Awaitable[T | None]]) -> T | None:
    """What is there. What seems to be missing is looked for in the rows: a refusal is remembered, and a cache that was
    away may have it that there is no such thing.
    """
    found = await look()
    if found is None:
        context.forget()
        found = await look()
    return found


async def kept_subject(context: Context, ref: EntityRef) -> Subject | None:
    """What was commented on, whoever may see it by now."""
    if ref.business_id == POSTS:
        return await context.loaders.kept_posts.load(ref.entity_id)
    return await context.loaders.entities_by_id.load(ref)


def comments_closed(context: Context, of: Subject) -> bool:
    """Whether new comments are refused: by whoever registered it, or for all of its business."""
    return of.comments_closed or not context.state.businesses[of.business].comments


def check_business(context: Context, business: str) -> None:
    """Raises Forbidden where the viewer's token is for other businesses."""
    if not context.is_for(business):
        raise Forbidden("This token is restricted to other businesses.")


def _not_found(message: str, *field: str) -> NoReturn:
    raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, message, *field)


def _key(context: Context, entity_id: EntityId) -> tuple[int, str] | None:
    business = context.state.external.get(entity_id.business)
    return (business.id, entity_id.key) if business else None
