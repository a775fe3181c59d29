"""Imports posts."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from archive.fields import PostTarget, Target
from archive.importing import content
from archive.importing.content import Content
from archive.importing.known import Found, Known
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Item
from archive.records import Post
from commands.topics import checked as checked_topics
from domain.ids import PostId
from domain.versions import version_at
from models.base import ms
from models.comment_settings import CommentPolicy
from models.counters import EntityRef
from models.patches import CommentSettingsPatch, PinPatch
from models.posts import PostRow
from projections import posts
from projections.batch import RowChange
from settings import POSTS
from store.content import announcements, comment_settings, outboxes, pinned_posts, post_rows
from store.moderation import reviews


class _Checked(NamedTuple):
    """A checked post: the record, its author, and its content."""

    record: Post
    author_id: int
    content: Content
    topics: tuple[str, ...]
    quoted: Found | None
    """The quoted post, if it was there before this chunk."""
    pinned: int | None
    """The version of the pin; None if the post is not pinned."""
    about: EntityRef | None
    """The entity to which the post refers."""


async def store(run: Import, items: Sequence[Item[Post]]) -> None:
    """Imports a chunk of posts."""
    named: list[Target] = [PostTarget(post=one.quote_of) for _, one in items if one.quote_of]
    named += [one.entity for _, one in items if one.entity]
    known = await run.library.known([one.author for _, one in items], named)
    found: dict[str, _Checked] = {}
    for item in sorted(items, key=lambda item: item.record.created_at):  # what is quoted is older
        quote_of = item.record.quote_of
        try:
            one = _checked(run, item.record, known)
        except REJECTED as error:
            run.reject(item, error)
            continue
        if quote_of and not (one.quoted or quote_of in found):
            run.postpone(item)
            continue
        before = found.get(item.record.id)
        if before is None or before.content.content_version < one.content.content_version:
            found[item.record.id] = one
    if run.is_check:
        run.declare("post", ((name, (POSTS, run.made_up_id(), one.author_id)) for name, one in found.items()))
    elif found:
        run.score(await patiently(partial(_write, run, found, known)))


def _checked(run: Import, record: Post, known: Known) -> _Checked:
    limits = run.state.settings.content
    return _Checked(
        record,
        known.user(record.author),
        content.checked(run, record, limits.post_characters, limits.post_images),
        tuple(checked_topics(record.topics, limits.post_topics)),
        known.posts.get(record.quote_of or ""),
        run.version(record.pinned_at) if record.pinned_at else None,
        known.target(record.entity).ref if record.entity else None,
    )


async def _write(run: Import, found: dict[str, _Checked], known: Known) -> list[EntityRef]:
    """Writes posts in one transaction. Returns those that have changed."""
    state = run.state
    async with run.writing(known) as transaction:
        created = {name: one.content.created_ms for name, one in found.items()}
        ids = await content.assign(run, transaction, "post", "posts", PostId, created)
        stored = await post_rows.lock(transaction, ids.values())
        changes = list[RowChange[PostRow]]()
        for name, one in found.items():
            before = stored.get(ids[name])
            quote = _quote(one, ids, found)
            if after := _row(ids[name], one, quote) if before is None else _changed(before, one):
                changes.append(RowChange(before, after, state.keys.partition_of(one.author_id)))
        changes.sort(key=lambda change: change.after.post_id)
        batch = content.batch_of(run, transaction)
        batch.add(stored.values(), changes)
        if changes:
            await posts.write(batch, changes)
            await announcements.adopt(transaction, [change.after for change in changes])
            visible = [change.after for change in changes if change.appears]
            await outboxes.mark_pushed(transaction, visible, state.settings.push_follower_limit)
            await reviews.ask_for_review(transaction, [change.after for change in changes], state.keys.partition_of)
        pins = [PinPatch(one.pinned, one.author_id, ids[name], True, ()) for name, one in found.items() if one.pinned]
        await pinned_posts.write(transaction, pins)
        await comment_settings.write(
            transaction, [patch for name, one in found.items() if (patch := _policy(ids[name], one))]
        )
        await content.finish(run, batch)
    return [change.after.ref for change in changes]


def _quote(one: _Checked, ids: Mapping[str, int], found: Mapping[str, _Checked]) -> tuple[int | None, int | None]:
    """Returns the id and the author of the post that a post quotes; None for both if it quotes none."""
    name = one.record.quote_of
    if one.quoted:
        return one.quoted.ref.entity_id, one.quoted.owner_id
    return (ids[name], found[name].author_id) if name else (None, None)


def _row(post_id: int, one: _Checked, quote: tuple[int | None, int | None]) -> PostRow:
    made = one.content
    return PostRow(
        post_id=post_id,
        author_id=one.author_id,
        moment=made.moment,
        text=made.text,
        images=made.images,
        topic_names=one.topics,
        status=made.status,
        reason=made.reason,
        deleted=made.deleted,
        edited_ms=made.edited_ms,
        content_version=made.content_version,
        audit_version=made.content_version,
        version=made.content_version,
        custom=made.custom,
        **made.labeled,
        quote_of=quote[0],
        quote_owner=quote[1],
        detached=one.record.detached,
        about_business=one.about and one.about.business_id,
        about_id=one.about and one.about.entity_id,
        announces=(one.about is not None and one.record.announces) or None,
    )


def _changed(before: PostRow, one: _Checked) -> PostRow | None:
    if before.author_id != one.author_id:
        return None
    return content.changed(before, one.content, topic_names=one.topics)


def _policy(post_id: int, one: _Checked) -> CommentSettingsPatch | None:
    """Returns the change that sets the comment policy of a post; None if everyone may comment."""
    policy = CommentPolicy[one.record.comment_policy]
    if policy is CommentPolicy.EVERYONE:
        return None
    return CommentSettingsPatch(version_at(ms(one.record.created_at)), (POSTS, str(post_id)), policy)
