"""Runs after all rows of the changed posts and comments are written. Adds posts to topics and removes posts from
topics, which locks users. Adds the outgoing events of posts and comments to the batch.
"""

from collections.abc import Sequence
from typing import Any

from domain.labels import Labels
from models.attachments import plain
from models.comments import CommentRow
from models.counters import CounterKind, EntityRef
from models.posts import PostRow
from models.topics import SQUARE, topic_id
from projections.batch import Batch, RowChange
from projections.content_events import ContentChanged, LabelsSet, ModerationDecided
from projections.entries.deletions import DeletionChanged
from projections.entries.suspensions import Suspended
from projections.events import Event
from projections.projection import Projection
from settings import POSTS, TOPICS
from store.content import topics
from store.outgoing.events.comments import COMMENT_CREATED, COMMENT_DELETED, COMMENT_UPDATED
from store.outgoing.events.posts import POST_CREATED, POST_DELETED, POST_UPDATED, QUOTE_DETACHED
from store.people import users

_POST = POST_CREATED, POST_UPDATED, POST_DELETED
_COMMENT = COMMENT_CREATED, COMMENT_UPDATED, COMMENT_DELETED


async def _apply(batch: Batch, _: Sequence[Event]) -> None:
    await _write_topics(batch)
    for change in batch.changes:
        _add_outgoing(batch, change)


async def _write_topics(batch: Batch) -> None:
    """Adds posts to the topics that list them now, removes posts from the topics that do not list them any more, and
    adds the changes of the topics' counters to the batch.

    Locks the authors of posts that appear in topics. Suspensions and deletions lock users next, so this runs after all
    other rows of the batch were locked.
    """
    there: list[topics.TopicPlace] = []
    gone: list[tuple[int, int]] = []
    for change in batch.changes:
        if isinstance(change.after, PostRow):
            before, after = _shown(change.before), _shown(change.after)
            there += [(after[key], change.after) for key in sorted(after.keys() - before.keys())]
            gone += [(topic_id(key), change.after.post_id) for key in before.keys() - after.keys()]
    authors = {post.author_id for name, post in there if name != SQUARE}
    changing = {event.ref.entity_id for event in batch.of(Suspended)}
    changing |= {event.ref.entity_id for event in batch.of(DeletionChanged)}
    uncounted = await users.uncounted_among(batch.transaction, authors, changing=changing)
    new_account_s = batch.state.settings.moderation.new_account
    for topic, delta in await topics.write(batch.transaction, there, gone, uncounted, new_account_s):
        batch.deltas.add(EntityRef(TOPICS, topic), CounterKind.POSTS, delta)


def _shown(row: PostRow | None) -> dict[str, str]:
    """Returns the names of the topics that list a post, by key. `SQUARE`, the list of all public posts, is one of them.
    Returns an empty mapping if the post is not public.
    """
    return {SQUARE: SQUARE, **row.names_by_topic} if row and row.is_public else {}


def _add_outgoing(batch: Batch, change: RowChange[Any]) -> None:
    """Adds the outgoing event of a changed post or comment to the batch. If the row is not public, adds a deletion
    event even if the row was never public: an earlier event, whose change was lost in a failover of Postgres, may have
    said that it is public.
    """
    before, row = change.before, change.after
    is_post = isinstance(row, PostRow)
    created, updated, deleted = _POST if is_post else _COMMENT
    business_id = POSTS if is_post else row.subject_business
    to = row.author_id, business_id, row.version, (row.entity_id,)
    if not row.is_public:
        batch.outgoing.add(deleted, *to, author=row.author_id, by_moderation=not row.deleted)
    elif not (before and before.is_public):
        batch.outgoing.add(created, *to, **_content(row, batch.state.labels))
    elif row.content_version != before.content_version or row.all_labels != before.all_labels:
        batch.outgoing.add(updated, *to, **_content(row, batch.state.labels))
    if isinstance(row, PostRow) and row.detached and not (before and before.detached):
        batch.outgoing.add(QUOTE_DETACHED, *to, author=row.author_id, quoted=row.quote_of, by=row.quote_owner)


def _content(row: PostRow | CommentRow, labels: Labels) -> dict[str, Any]:
    if isinstance(row, PostRow):
        values: dict[str, Any] = {"topics": row.topic_names, "quote_of": row.quote_of}
        if row.about:
            values["about"] = tuple(row.about)
    else:
        values = {"subject": tuple(row.subject), "root": row.root_id, "parent": row.parent_id}
    values |= {"images": plain(row.images), "custom": row.custom, "edited_ms": row.edited_ms}
    names = [label.name for label in labels.in_bits(row.all_labels)]
    values |= {"content_warning": row.content_warning, "labels": names}
    return {"author": row.author_id, "text": row.text, "moment": row.moment, **values}


PROJECTION: Projection[Event] = Projection((), {}, _apply, rank=4, also=(ContentChanged, LabelsSet, ModerationDecided))
