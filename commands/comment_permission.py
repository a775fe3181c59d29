"""Whether the viewer may comment on a post or entity: the policy of its author or owner, and closed comments.
`Commentable.viewerCanComment` and the mutations that add comments use the same rules.
"""

import asyncio
from collections.abc import Awaitable, Sequence

from commands.targets import Subject
from context import Context
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.ids import EntityId, PostId, parse_id
from domain.text_tokens import mentions
from models.comment_settings import CommentPolicy, CommentSettings, SubjectKey
from models.posts import PostRow
from settings import POSTS


def ask(context: Context, subject_id: str) -> None:
    """Starts to read the comment settings of a post or entity, without waiting, so that they arrive in the round trip
    in which the post or entity is read. Does nothing for an id of another type or of an unknown business. Raises
    BadInput for an invalid id.
    """
    parsed = parse_id(subject_id)
    if isinstance(parsed, PostId):
        _asked(context, [(POSTS, str(parsed.id))])
    elif isinstance(parsed, EntityId) and (business := context.state.external.get(parsed.business)):
        _asked(context, [(business.id, parsed.key)])


async def check(context: Context, subject: Subject, *field: str) -> None:
    """Raises Refused with COMMENTS_RESTRICTED if the policy of a post or entity forbids the viewer to comment on it;
    Unavailable if the policy cannot be read. `field` is the path of the input field with the id.
    """
    (permitted,) = await permitted_on(context, [subject])
    if isinstance(permitted, Unavailable):
        raise permitted
    if not permitted:
        message = "The author or owner allows comments of some users only."
        raise Refused.because(UserErrorCode.COMMENTS_RESTRICTED, message, *field)


async def permitted_on(context: Context, subjects: Sequence[Subject]) -> list[bool | Unavailable]:
    """Returns for each post or entity whether its policy permits the viewer to comment on it; Unavailable in place of
    an answer that cannot be read. Authors and owners may always comment on their own posts and entities. Raises
    Unauthenticated without a viewer.
    """
    viewer_id, found = context.require_viewer().user_id, await _settings(context, subjects)
    restricted = {
        one.ref: settings
        for one, settings in zip(subjects, found, strict=True)
        if isinstance(settings, Exception) or policy_of(one, settings) is not CommentPolicy.EVERYONE
    }
    others = [one for one in subjects if one.ref in restricted and one.owner_id != viewer_id]
    answers = await asyncio.gather(*[_permitted(context, one, restricted[one.ref]) for one in others])
    known = dict(zip([one.ref for one in others], answers, strict=True))
    return [known.get(one.ref, True) for one in subjects]


async def _settings(context: Context, subjects: Sequence[Subject]) -> list[CommentSettings | Exception]:
    """Returns the comment settings of posts and entities, with an exception in place of settings that cannot be read.
    Remembers, in this process, the owners who allow comments only of users whom they follow: `_asked` uses that.
    """
    found = await _asked(context, [one.subject_key for one in subjects])
    context.shared.memories.followers_comment.remember(
        {
            one.subject_key: one.owner_id if one.owner_id and settings.policy is CommentPolicy.FOLLOWED else None
            for one, settings in zip(subjects, found, strict=True)
            if isinstance(settings, CommentSettings)
        }
    )
    return found


def _asked(context: Context, keys: Sequence[SubjectKey]) -> Awaitable[list[CommentSettings | Exception]]:
    """Starts to read comment settings. Returns an awaitable of the settings, with an exception in place of settings
    that cannot be read.

    If this process remembers that an owner allows comments only of users whom the owner follows, starts to read in the
    same round trip whether the owner follows the viewer.
    """
    context.own.followed_by.ask(context.shared.memories.followers_comment.of(keys))
    return context.content.comment_settings.ask(keys, each=True)


def policy_of(subject: Subject, settings: CommentSettings) -> CommentPolicy:
    """Returns who may comment on a post or entity. Everyone may comment on an entity that has no owner any more."""
    return settings.policy if subject.owner_id else CommentPolicy.EVERYONE


async def _permitted(context: Context, subject: Subject, settings: CommentSettings | Exception) -> bool | Unavailable:
    if isinstance(settings, Exception):
        return settings if isinstance(settings, Unavailable) else Unavailable()
    try:
        match policy_of(subject, settings):
            case CommentPolicy.FOLLOWED:
                assert subject.owner_id  # otherwise the policy is EVERYONE
                return await context.own.followed_by.load(subject.owner_id)
            case CommentPolicy.MENTIONED if isinstance(subject, PostRow):
                return await _is_mentioned(context, subject)
            case _:
                return False
    except Unavailable as error:
        return error


async def _is_mentioned(context: Context, post: PostRow) -> bool:
    """Returns whether a post mentions the viewer. If it is not stored which users had the handles in its text, compares
    the handles with the viewer's present handle. Raises Unavailable.
    """
    viewer_id = context.require_viewer().user_id
    if post.mentioned is not None:
        return viewer_id in dict(post.mentioned).values()
    viewer = await context.content.kept_users.load(viewer_id)
    return viewer is not None and viewer.handle in mentions(post.text)


def comments_closed(context: Context, of: Subject) -> bool:
    """Returns whether the post or entity `of`, or the settings of its business, refuse new comments."""
    return of.comments_closed or not context.state.businesses[of.business].comments
