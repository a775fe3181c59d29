"""publishPost, editPost and deletePost: each checks its input and appends one change to the write log, which
acknowledges the change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from commands import images, quotes, targets, topics, uploads
from commands.changes import Patch
from commands.labels import NOT_WARNED, Warned
from commands.write import Write, read_back
from context import Context
from domain import texts
from domain.custom import comparable
from domain.digests import digest
from domain.errors import Refused, Unavailable, UserErrorCode
from domain.ids import PostId
from models.attachments import Attachment, plain
from models.counters import EntityRef
from models.patches import POST
from models.posts import PostRow
from settings import POSTS
from store.write_log.claims import Name


@dataclass(frozen=True, slots=True)
class PostContent:
    """The content of a new post, or the changes to an existing post. In a change, None leaves a field as it is."""

    text: str | None = None
    images: Sequence[Attachment] | None = None
    topics: Sequence[str] | None = None
    custom: str | None = None
    """Custom data as JSON text; an empty text removes it."""
    topics_from_text: bool = False
    """Whether the post also gets the topics that `text` names."""
    images_field: str = "images"
    """The input field with the attachments, for errors."""
    quote_of: str | None = None
    """The id of the post that a new post quotes."""
    entity_id: str | None = None
    """The API id of the entity that a new post refers to. A change cannot have it."""
    warned: Warned = NOT_WARNED
    """The content warning and the labels."""

    def checked(self, context: Context) -> "PostContent":
        """Returns a copy with every value in the form in which it is stored. Raises Refused for an invalid value."""
        limits = context.state.settings.content
        text = None if self.text is None else texts.user_text(self.text, limits.post_characters, "text")
        names = None if self.topics is None else topics.checked(self.topics, limits.post_topics)
        if text is not None and self.topics_from_text:
            names = topics.with_named(text, names or [], limits.post_topics)
        files = self.images and images.check(context, self.images, limits.post_images, self.images_field)
        warned = self.warned.checked(context)
        return PostContent(text, files, names, self.custom, quote_of=self.quote_of, warned=warned)


def _check_not_empty(text: str | None, images: Sequence[Attachment] | None) -> None:
    if not images and not text:
        raise Refused.because(UserErrorCode.TEXT_EMPTY, "A post needs text or an image.", "text")


async def publish(context: Context, content: PostContent, idempotency_key: str) -> PostRow | Unavailable:
    """Publishes a post by the viewer, at most once per idempotency key. Returns the post as its author sees it;
    Unavailable if the post was written but cannot be read back.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable, Forbidden if the token is not for the business of the
    entity; Refused with TEXT_EMPTY, TEXT_TOO_LONG, TEXT_INVALID, TOO_MANY_IMAGES, IMAGE_NOT_ALLOWED, TOO_MANY_TOPICS,
    TOPIC_INVALID, INVALID for a label, SUSPENDED or IDEMPOTENCY_MISMATCH; with TARGET_NOT_FOUND or NOT_ALLOWED if the
    viewer cannot see or may not quote the quoted post; with TARGET_NOT_FOUND for an unknown or removed entity; with
    TARGET_DELETED if this is a repeated request, and the post was deleted since.
    """
    async with Write(context, "publishPost", idempotency_key, *_parts(content), unless_suspended=True) as write:
        checked = content.checked(context)
        _check_not_empty(checked.text, checked.images)
        checked = replace(checked, topics=await topics.with_known_spelling(context, checked.topics))
        name = Name(write.actor_id, POSTS, digest(idempotency_key))
        if not await write.was_claimed(name):
            await uploads.check(context, checked.images or (), content.images_field)
            about = await _about(context, content.entity_id)
            post_id = context.state.new_id()
            claim = {"key": name.key, "fingerprint": write.operation.fingerprint}
            quote = {"quote": await quotes.quotable(context, content.quote_of)} if content.quote_of else {}
            entry = _entry(context, write.actor_id, post_id, "publish", checked, **claim, **about, **quote)
            await write.append(Patch(POST, EntityRef(POSTS, post_id), entry))
    assert write.outcome.value  # the id of the post, also when a retry is answered
    context.forget()
    return await read_back(_read_acknowledged(context, int(write.outcome.value)))


async def edit(
    context: Context, post_id: str, content: PostContent, idempotency_key: str | None
) -> PostRow | Unavailable:
    """Edits a post by the viewer: changes the fields of `content` that are not None. Moderation checks the post again.
    Returns the post as its author sees it; Unavailable if the edit was written but the post cannot be read back.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED,
    NOT_ALLOWED for the post of another user and for one that announces an entity, TEXT_EMPTY, TEXT_TOO_LONG,
    TEXT_INVALID, TOO_MANY_IMAGES, IMAGE_NOT_ALLOWED, TOO_MANY_TOPICS, TOPIC_INVALID, INVALID for a label, SUSPENDED or
    IDEMPOTENCY_MISMATCH.
    """
    parts = post_id, *_parts(content)
    async with Write(context, "editPost", idempotency_key, *parts, unless_suspended=True) as write:
        post = await own_post(context, write.actor_id, post_id)
        if post.deleted:
            raise Refused.because(UserErrorCode.TARGET_DELETED, "This post was deleted.", "postId")
        if post.announces_entity:
            message = "This post announces an entity. Its text is the title of the entity."
            raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "postId")
        checked = content.checked(context)
        text = post.text if checked.text is None else checked.text
        _check_not_empty(text, post.images if checked.images is None else checked.images)
        checked = replace(checked, topics=await topics.with_known_spelling(context, checked.topics))
        await write.ready()
        await uploads.check(context, checked.images or (), content.images_field, post.images)
        left = {} if checked.topics is None else {"left": post.topic_names}
        entry = _entry(context, write.actor_id, post.post_id, "edit", checked, **left)
        await write.append(Patch(POST, post.ref, entry))
    context.forget()
    return await read_back(_read_acknowledged(context, post.post_id))


async def delete(context: Context, post_id: str) -> PostRow:
    """Deletes a post by the viewer permanently. Returns the post as it was before. Deleting a post again succeeds.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND or NOT_ALLOWED.
    """
    async with Write(context, "deletePost", None, post_id) as write:
        post = await own_post(context, write.actor_id, post_id)
        if not post.deleted:
            entry = _entry(context, write.actor_id, post.post_id, "delete", PostContent())
            await write.append(Patch(POST, post.ref, entry))
    context.forget()
    return post


async def own_post(context: Context, author_id: int, post_id: str) -> PostRow:
    """Returns a post by the viewer, deleted or not. Raises BadInput for an invalid id; Refused with NOT_ALLOWED for
    another user's post that the viewer may see, and with TARGET_NOT_FOUND for every other id.
    """
    post = await targets.find(context, post_id, PostId, lambda content: content.kept_posts)
    if post and post.author_id == author_id:
        return post
    if post and await context.content.posts.load(post.post_id):
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "This post belongs to another user.", "postId")
    raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no post with this id.", "postId")


async def _read_acknowledged(context: Context, post_id: int) -> PostRow:
    """Returns a post right after it was published or edited, with the author's changes that workers have not stored
    yet. Raises Refused if the post has been deleted since.
    """
    post = await context.content.kept_posts.load(post_id)
    if post is None or post.deleted:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This post was deleted.")
    return post


def _parts(content: PostContent) -> list[Any]:
    """Returns the content as values that are compared to find out whether a request repeats an earlier one."""
    images = None if content.images is None else plain(content.images)
    parts: list[Any] = [content.text, images, content.topics]
    # Appended only if present, so that requests without these fields keep the fingerprints that are already stored.
    if content.custom is not None:
        parts.append(comparable(content.custom))
    if content.topics_from_text:
        parts.append(["topicsFromText"])
    if content.quote_of is not None:
        parts.append(["quoteOf", content.quote_of])
    if content.entity_id is not None:
        parts.append(["entity", content.entity_id])
    return [*parts, *content.warned.parts]


async def _about(context: Context, entity_id: str | None) -> dict[str, list[int]]:
    """Returns the part of a journal entry that names the entity with this id; nothing for None. Raises BadInput for an
    invalid id, Forbidden if the token is for other businesses, Refused with TARGET_NOT_FOUND for an unknown entity.
    """
    if entity_id is None:
        return {}
    return {"about": [*(await targets.entity(context, entity_id, "entityId")).ref]}


def _entry(context: Context, author_id: int, post_id: int, op: str, content: PostContent, **more: Any) -> bytes:
    images = None if content.images is None else plain(content.images)
    says = {"text": content.text, "images": images, "topics": content.topics, "custom": content.custom}
    says |= content.warned.fields(context)
    return orjson.dumps({"actor": author_id, "post": post_id, "op": op, **says, **more, **context.client.trace})
