"""Makes records from rows. A function returns None if the row refers to a post, comment or entity that is not stored
any more.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import orjson

from archive.fields import EntityTarget, Image, PostTarget, TopicTarget
from archive.records import (
    Block,
    Collection,
    Comment,
    ContentFollow,
    Entity,
    Follow,
    FormerHandle,
    Mute,
    Post,
    Reaction,
    Repost,
    Save,
    Suspension,
    User,
)
from archive.references import References
from domain.ids import born_ms
from domain.versions import moment_ms, version_ms
from models import likes
from models.attachments import Attachment
from models.authored import Authored
from models.base import at
from models.comment_settings import CommentSettings
from models.comments import CommentRow
from models.counters import EntityRef
from models.posts import PostRow
from models.saves import DEFAULT
from models.users import SuspensionRow, UserRow
from store.own_sets.boundaries import FOREVER_MS
from store.postgres.client import Rows

_DEFAULT_SETTINGS = CommentSettings()


def time_of(version: int) -> datetime:
    """Returns the time that a version contains."""
    return at(version_ms(version))


def custom_of(stored: str | None) -> dict[str, Any] | None:
    """Returns stored custom data, which is a JSON text, as a dictionary."""
    return orjson.loads(stored) if stored else None


def user(row: UserRow, issuer: str, subject: str, default_issuer: str, former: Mapping[int, Rows], now_ms: int) -> User:
    """Returns the record of a user, with the suspension that is in force at the time `now_ms`, in milliseconds since
    the Unix epoch. `issuer` and `subject` are the user's identity. The record does not name the issuer if it is
    `default_issuer`. `former` has former handles by user.
    """
    return User(
        kind="user",
        external_id=subject,
        issuer=None if issuer == default_issuer else issuer,
        handle=row.handle,
        display_name=row.display_name,
        avatar_url=row.avatar_url,
        bio=row.bio,
        is_private=row.is_private,
        custom=custom_of(row.custom),
        age_band=row.age_band,
        language=row.language,
        created_at=at(born_ms(row.user_id)),
        suspension=_suspension(row.suspension(now_ms)),
        former_handles=tuple(
            FormerHandle(handle=one.handle, freed_at=one.freed_at) for one in former.get(row.user_id, ())
        ),
    )


def entity(row: Any, refs: References, settings: CommentSettings | None) -> Entity:
    """Returns the record of a row of `entities`. `settings` are those of the comments on the entity."""
    return Entity(
        kind="entity",
        business=refs.business(row.business_id),
        key=row.key,
        owner=None if row.owner_id is None else refs.user(row.owner_id),
        title=row.title,
        url=row.url,
        comments_closed=row.comments_closed,
        comment_policy=_policy(settings),
        topics=tuple(row.topics or ()),
        custom=custom_of(row.custom),
        labels=refs.label_names(row.labels),
        moderator_labels=refs.label_names(row.moderator_labels),
        removed=row.removed,
    )


def follow(follower: int, followee: int, created_at: datetime, refs: References, *, requested: bool) -> Follow:
    """Returns the record of a follow or, with `requested`, of a request to follow."""
    state = "REQUESTED" if requested else "FOLLOWS"
    who = {"follower": refs.user(follower), "followee": refs.user(followee)}
    return Follow(kind="follow", **who, state=state, created_at=created_at)  # type: ignore[arg-type]


def reaction(row: Any, refs: References) -> Reaction | None:
    """Returns the record of a row of `reactions`."""
    target = refs.target(EntityRef(row.business_id, row.entity_id))
    return (
        None
        if target is None
        else Reaction(
            kind="reaction",
            user=refs.user(row.user_id),
            target=target,
            reaction=likes.Reaction(row.state).name,  # type: ignore[arg-type] # NONE is not selected
            kinds=likes.ids_in(row.kinds) if row.kinds else None,
            created_at=time_of(row.version),
        )
    )


def content_follow(row: Any, refs: References) -> ContentFollow | None:
    """Returns the record of a row of `content_follows`."""
    target = TopicTarget(topic=row.name) if row.name else refs.target(EntityRef(row.business_id, row.entity_id))
    if not isinstance(target, TopicTarget | EntityTarget):
        return None
    created_at = time_of(row.version)
    return ContentFollow(kind="contentFollow", user=refs.user(row.user_id), target=target, created_at=created_at)


def repost(row: Any, refs: References) -> Repost:
    """Returns the record of a row of `reposts`, with the post as `entity_id`."""
    target = PostTarget(post=refs.post(row.entity_id))
    return Repost(kind="repost", user=refs.user(row.user_id), target=target, created_at=time_of(row.version))


def collection(row: Any, refs: References) -> Collection:
    """Returns the record of a row of `collections`."""
    return Collection(
        kind="collection",
        id=refs.collection(row.user_id, row.collection_id),
        user=refs.user(row.user_id),
        name=row.name,
        is_public=row.is_public,
        created_at=at(born_ms(row.collection_id)),
    )


def save(row: Any, refs: References) -> Save | None:
    """Returns the record of a row of `saves`."""
    target = refs.target(EntityRef(row.business_id, row.entity_id))
    into = None if row.collection_id == DEFAULT else refs.collection(row.user_id, row.collection_id)
    saved_at = time_of(row.version)
    return (
        None
        if target is None
        else Save(kind="save", user=refs.user(row.user_id), target=target, collection=into, created_at=saved_at)
    )


def block(user_id: int, row: Any, refs: References) -> Block:
    """Returns the record of a row of `blocks`."""
    blocked = refs.user(row.blocked_id)
    return Block(kind="block", user=refs.user(user_id), blocked=blocked, created_at=time_of(row.version))


def mute(user_id: int, row: Any, refs: References) -> Mute:
    """Returns the record of a row of `mutes`."""
    until = None if row.until_ms >= FOREVER_MS else at(row.until_ms)
    muted, muted_at = refs.user(row.muted_id), time_of(row.version)
    return Mute(kind="mute", user=refs.user(user_id), muted=muted, created_at=muted_at, until=until)


def post(
    row: PostRow, refs: References, pin: int | None, settings: CommentSettings | None, *, whole: bool = False
) -> Post:
    """Returns the record of a post. `pin` is the version of the change that pinned the post; None if it is not pinned.
    `settings` are those of its comments. A deleted post has its texts only if `whole` is true.
    """
    shows = whole or not row.deleted
    return Post(
        kind="post",
        id=refs.post(row.post_id),
        author=refs.user(row.author_id),
        topics=row.topic_names if shows else (),
        quote_of=refs.post(row.quote_of) if row.quote_of else None,
        detached=row.detached,
        entity=refs.target(row.about) if shows and row.about else None,  # type: ignore[arg-type] # never a post
        announces=shows and row.announces_entity,
        pinned_at=None if pin is None else time_of(pin),
        comment_policy=_policy(settings),
        **_authored(row, refs, shows=shows),
    )


def comment(
    row: CommentRow, deleted_as: Any, refs: References, settings: CommentSettings | None, *, whole: bool = False
) -> Comment | None:
    """Returns the record of a comment. `deleted_as` is the role of the user who deleted it. `settings` are those of the
    comments on its subject. A deleted comment has its texts only if `whole` is true.
    """
    subject = refs.target(row.subject)
    is_pinned = settings is not None and settings.pinned_id == row.comment_id
    parent = None if row.parent_id is None else refs.comment(row.subject_business, row.parent_id)
    return (
        None
        if subject is None
        else Comment(
            kind="comment",
            id=refs.comment(row.subject_business, row.comment_id),
            author=refs.user(row.author_id),
            subject=subject,  # type: ignore[arg-type] # no comment is about a comment
            parent=parent,
            deleted_as=deleted_as if row.deleted else None,
            pinned_at=time_of(settings.pin_version) if settings and is_pinned else None,
            **_authored(row, refs, shows=whole or not row.deleted),
        )
    )


def settings_key(subject: EntityRef, keys: Mapping[EntityRef, str]) -> tuple[int, str]:
    """Returns the key of the settings of the comments on a post or entity."""
    return subject.business_id, keys.get(subject, str(subject.entity_id))


def images_of(attachments: Iterable[Attachment]) -> tuple[Image, ...]:
    """Returns attachments in the form in which records have them."""
    return tuple(Image(**{**one._asdict(), "kind": one.kind.value}) for one in attachments)


def _authored(row: Authored, refs: References, *, shows: bool) -> dict[str, Any]:
    """Returns the fields that posts and comments share, with the texts if `shows` is true."""
    said: dict[str, Any] = {}
    if shows:
        said = {
            "text": row.text,
            "images": images_of(row.images),
            "custom": custom_of(row.custom),
            "reason": row.reason,
            "content_warning": row.content_warning,
            "labels": refs.label_names(row.labels),
            "moderator_labels": refs.label_names(row.moderator_labels),
        }
    return {
        **said,
        "created_at": at(moment_ms(row.moment)),
        "edited_at": None if row.edited_ms is None else at(row.edited_ms),
        "deleted_at": time_of(row.content_version) if row.deleted else None,
        "status": row.status.name,
    }


def _policy(settings: CommentSettings | None) -> Any:
    """Returns the name of the policy in settings of comments; None for the default settings."""
    return (settings or _DEFAULT_SETTINGS).policy.name


def _suspension(row: SuspensionRow | None) -> Suspension | None:
    """Returns the record of a suspension."""
    if row is None:
        return None
    mode: Any = row.mode.name
    return Suspension(mode=mode, until=row.until, reason=row.reason)
