"""Compares authors' lists of posts (outboxes) and topics with the rows of posts. The lock of a post's row protects its
rows in outboxes and topics.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import projections.posts
from models.topics import SQUARE, topic_id
from projections import hot_scores
from state import State
from store.content import outboxes, post_rows, topics
from store.people import users
from store.reconcile.posts import PLACES, POSTS, UNWRITTEN, find_absent, remove_unwritten
from workers.reconcile.batches import Compare, Compared, RowKey, compare_rows


async def compare(state: State) -> Compare:
    """Finds posts that are missing in outboxes or topics, then entries of outboxes and topics that should not exist.
    Yields the results.
    """
    async for rows in POSTS.batches(state.postgres):
        wrong = {row.post_id for row in rows if row.drifts} | await _missing(state, rows)
        yield Compared("outboxes_and_topics", len(rows), len(wrong), partial(_repair, state, wrong, ()))
    async for rows in PLACES.batches(state.postgres):
        extra = [(row.topic_id, row.post_id) for row in rows if row.miscounted or not _belongs(row)]
        posts = {post_id for _, post_id in extra}
        yield Compared("outboxes_and_topics", len(rows), len(extra), partial(_repair, state, posts, extra))
    async for compared in compare_rows(state, [("outboxes_and_topics", UNWRITTEN, _remove_extra)]):
        yield compared


def _places(names: Sequence[str]) -> set[int]:
    return {topic_id(name) for name in (SQUARE, *names)}


def _belongs(row: Any) -> bool:
    return bool(row.public) and row.topic_id in _places(row.topics)


async def _missing(state: State, rows: Sequence[Any]) -> set[int]:
    """Returns the ids of the public posts among these rows that are missing in one of their topics."""
    wanted = [(topic, row.post_id, row.version) for row in rows if row.public for topic in _places(row.topics)]
    return await find_absent(state.postgres, wanted) if wanted else set()


async def _repair(state: State, posts: set[int], extra: Sequence[RowKey]) -> None:
    """Writes these posts to their outboxes and topics again, and publishes them. Removes the entries in `extra`, each
    given as topic and post, from topics.
    """
    async with state.postgres.transaction() as transaction:
        rows = list((await post_rows.lock(transaction, posts)).values())
        await outboxes.write(transaction, rows)
        public = [row for row in rows if row.is_public]
        uncounted = await users.uncounted_among(transaction, {row.author_id for row in public if row.topic_names})
        there = [(name, row) for row in public for name in (SQUARE, *row.topic_names)]
        await topics.write(transaction, there, extra, uncounted, state.settings.moderation.new_account)
    await projections.posts.publish(state, rows)
    await hot_scores.publish_posts(state, [row.post_id for row in rows])


async def _remove_extra(state: State, places: Sequence[RowKey]) -> None:
    """Removes outbox entries whose author has no such post."""
    async with state.postgres.transaction() as transaction:
        await remove_unwritten(transaction, places)
