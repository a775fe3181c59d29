"""Pinned comments: Commentable.pinnedComment and Comment.isPinned."""

from collections.abc import Sequence

from commands.targets import Subject
from context import Context
from domain.errors import Unavailable
from models.comment_settings import CommentSettings
from models.comments import CommentRow
from models.entities import EntityRow
from settings import POSTS


async def of_subjects(context: Context, subjects: Sequence[Subject]) -> Sequence[CommentRow | Exception | None]:
    """Resolves Commentable.pinnedComment: the pinned comment of each post or entity; an exception if it cannot be read.

    None if no comment is pinned, if the pinned comment is not approved or was deleted, if a block or a suspension hides
    its author, if the viewer mutes its author, or if the entity has no owner any more.
    """
    content, memory = context.content, context.shared.memories.pinned_comments
    keys = [one.subject_key for one in subjects]
    asked = content.comment_settings.ask(keys, each=True)
    content.comments.ask(memory.of(keys))  # in the round trip of the settings
    found = await asked
    pinned = [settings.pinned_id if isinstance(settings, CommentSettings) else 0 for settings in found]
    memory.remember({key: id_ or None for key, id_ in zip(keys, pinned, strict=True)})
    ids = sorted(set(filter(None, pinned)))
    try:
        rows = dict(zip(ids, await _shown(context, ids), strict=True))
    except Unavailable as error:
        return [error] * len(subjects)
    return [
        settings if isinstance(settings, Exception) else _of(subject, rows.get(id_))
        for subject, settings, id_ in zip(subjects, found, pinned, strict=True)
    ]


async def _shown(context: Context, ids: Sequence[int]) -> Sequence[CommentRow | Exception | None]:
    return await context.content.unmuted(await context.content.comments.ask(ids, each=True)) if ids else ()


def _of(subject: Subject, comment: CommentRow | Exception | None) -> CommentRow | Exception | None:
    """Returns the pinned comment of a post or entity if it may be shown; otherwise None. An entity that has no owner
    any more has no pinned comment. If `comment` is an exception, returns it.
    """
    if not isinstance(comment, CommentRow):
        return comment
    return comment if subject.owner_id and comment.subject == subject.ref and comment.is_public else None


async def pinned(context: Context, comments: Sequence[CommentRow]) -> list[bool | Exception]:
    """Resolves Comment.isPinned: whether each comment is the pinned comment of its post or entity; an exception if this
    cannot be read.
    """
    roots = [comment for comment in comments if comment.root_id is None and comment.is_public]
    refs = list({comment.subject for comment in roots if comment.post_id is None})
    entities = dict(zip(refs, await context.content.entities_by_id.ask(refs, each=True), strict=True))
    keys = {
        comment.subject: (POSTS, str(comment.post_id))
        if comment.post_id is not None
        else (entity.subject_key if isinstance(entity := entities[comment.subject], EntityRow) else None)
        for comment in roots
    }
    asked = list(filter(None, keys.values()))
    found = dict(zip(asked, await context.content.comment_settings.ask(asked, each=True), strict=True))
    answers: dict[int, bool | Exception] = {}
    for comment in roots:
        entity, key = entities.get(comment.subject), keys[comment.subject]
        settings = found[key] if key else entity
        if isinstance(settings, CommentSettings):
            owned = not isinstance(entity, EntityRow) or entity.owner_id is not None
            answers[comment.comment_id] = owned and settings.pinned_id == comment.comment_id
        elif isinstance(settings, Exception):
            answers[comment.comment_id] = settings
    return [answers.get(comment.comment_id, False) for comment in comments]
