"""Outboxes and topics, which follow from the rows of posts; whoever holds a post's row writes both."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import text

import projections.posts
from models.posts import OutboxState
from models.topics import SQUARE, topic_id
from projections import hot
from state import State
from store.content import outboxes, post_rows, topics
from workers.reconcile.batches import Compare, Compared, RowKey, drifting, keyset

_PUBLIC = "p.status = 1 AND NOT p.deleted"
_POSTS = text(f"""
    SELECT p.post_id, p.topics, {_PUBLIC} AS public, p.version,
           (o.moment, o.state) IS DISTINCT FROM (p.moment, CASE
               WHEN p.deleted THEN {OutboxState.DELETED:d} WHEN {_PUBLIC} THEN {OutboxState.VISIBLE:d}
               ELSE {OutboxState.HIDDEN:d} END) AS drifts
    FROM (SELECT * FROM posts WHERE post_id > :post ORDER BY post_id LIMIT :count) AS p
    LEFT JOIN outboxes o USING (author_id, post_id) ORDER BY p.post_id
""")  # noqa: S608 - constants
# What a batch says of posts whose version has changed since they were read is not looked at: a later run will.
_ABSENT = text("""
    SELECT DISTINCT w.post_id
    FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[]), CAST(:versions AS bigint[]))
         AS w(topic_id, post_id, version)
    JOIN posts p ON p.post_id = w.post_id AND p.version = w.version
    LEFT JOIN topic_posts t ON t.topic_id = w.topic_id AND t.post_id = w.post_id AND t.moment = p.moment
    LEFT JOIN topics n ON n.topic_id = w.topic_id
    WHERE t.post_id IS NULL OR (n.topic_id IS NULL AND w.topic_id <> 0)
""")
_PLACES = text(f"""
    SELECT t.topic_id, t.post_id, p.moment = t.moment AND {_PUBLIC} AS public, p.topics
    FROM (SELECT * FROM topic_posts WHERE (topic_id, post_id) > (:topic, :post)
          ORDER BY topic_id, post_id LIMIT :count) AS t
    LEFT JOIN posts p USING (post_id) ORDER BY t.topic_id, t.post_id
""")  # noqa: S608 - constants
_UNWRITTEN = text("""
    SELECT o.author_id, o.post_id, p.post_id IS NULL
    FROM (SELECT author_id, post_id FROM outboxes WHERE (author_id, post_id) > (:author, :post)
          ORDER BY author_id, post_id LIMIT :count) AS o
    LEFT JOIN posts p USING (author_id, post_id) ORDER BY o.author_id, o.post_id
""")

_FORGET = text("""
    DELETE FROM outboxes o USING unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[])) AS w(author_id, post_id)
    WHERE o.author_id = w.author_id AND o.post_id = w.post_id
      AND NOT EXISTS (SELECT FROM posts p WHERE p.post_id = o.post_id AND p.author_id = o.author_id)
""")


async def compare(state: State) -> Compare:
    """Where posts should be found and are not, then where they are found and should not be."""
    async for rows in keyset(state.postgres, _POSTS, ("post",)):
        wrong = {row.post_id for row in rows if row.drifts} | await _absent(state, rows)
        yield Compared("outboxes_and_topics", len(rows), len(wrong), partial(_repair, state, wrong, ()))
    async for rows in keyset(state.postgres, _PLACES, ("topic", "post")):
        extra = [(row.topic_id, row.post_id) for row in rows if not _belongs(row.topic_id, row.public, row.topics)]
        posts = {post_id for _, post_id in extra}
        yield Compared("outboxes_and_topics", len(rows), len(extra), partial(_repair, state, posts, extra))
    forget = partial(_forget, state)
    async for compared in drifting(state.postgres, "outboxes_and_topics", _UNWRITTEN, ("author", "post"), forget):
        yield compared


def _places(names: Sequence[str]) -> set[int]:
    return {topic_id(name) for name in (SQUARE, *names)}


def _belongs(topic: int, public: bool | None, names: Sequence[str]) -> bool:
    return bool(public) and topic in _places(names)


async def _absent(state: State, rows: Sequence[Any]) -> set[int]:
    """Those of the public posts that are not under one of their topics."""
    wanted = [(topic, row.post_id, row.version) for row in rows if row.public for topic in _places(row.topics)]
    if not wanted:
        return set()
    topics, posts, versions = zip(*wanted, strict=True)
    return {post for (post,) in await state.postgres.read(_ABSENT, topics=topics, posts=posts, versions=versions)}


async def _repair(state: State, posts: set[int], extra: Sequence[RowKey]) -> None:
    """Takes posts away from the `extra` places, topic and post, and writes them to all where they should be."""
    async with state.postgres.transaction() as transaction:
        rows = list((await post_rows.lock(transaction, posts)).values())
        await outboxes.write(transaction, rows)
        public = [row for row in rows if row.is_public]
        await topics.write(transaction, [(name, row) for row in public for name in (SQUARE, *row.topic_names)], extra)
    await projections.posts.publish(state, rows)
    await hot.publish_posts(state, [row.post_id for row in rows])


async def _forget(state: State, places: Sequence[RowKey]) -> None:
    """Takes what is no post of its author's out of their outbox."""
    async with state.postgres.transaction() as transaction:
        await transaction.execute(_FORGET, authors=[author for author, _ in places], posts=[post for _, post in places])
