"""Comparison of outboxes and topics with the rows of posts from which they are derived."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.posts import OutboxState
from store.postgres.client import Postgres
from store.postgres.columns import columns
from store.reconcile.batches import Keyset

_PUBLIC = "p.status = 1 AND NOT p.deleted"
_POSTS = text(f"""
    SELECT p.post_id, p.topics, {_PUBLIC} AS public, p.version,
           (o.moment, o.state) IS DISTINCT FROM (p.moment, CASE
               WHEN p.deleted THEN {OutboxState.DELETED:d} WHEN {_PUBLIC} THEN {OutboxState.VISIBLE:d}
               ELSE {OutboxState.HIDDEN:d} END) AS drifts
    FROM (SELECT * FROM posts WHERE post_id > :post ORDER BY post_id LIMIT :count) AS p
    LEFT JOIN outboxes o USING (author_id, post_id) ORDER BY p.post_id
""")  # noqa: S608 - constants
# Posts whose version has changed since they were read are left to a later run.
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

POSTS = Keyset(_POSTS, ("post",))
"""Reads all posts in batches: id, topics, whether the post is public, version, and whether its row in the outbox is
wrong.
"""

PLACES = Keyset(_PLACES, ("topic", "post"))
"""Reads all rows of the table `topic_posts` in batches: topic, post, whether the post is public and has the moment
of the row, and the topics that the post names.
"""

UNWRITTEN = Keyset(_UNWRITTEN, ("author", "post"))
"""Reads all rows of outboxes in batches: author and post. A row drifts if the author has no such post."""


async def find_absent(postgres: Postgres, wanted: Sequence[tuple[int, int, int]]) -> set[int]:
    """Returns the ids of the given posts, as (topic id, post id, version), that the topic lacks or has with a wrong
    moment, or whose topic does not exist. Leaves out posts whose version has changed.
    """
    return {post for (post,) in await postgres.read(_ABSENT, **columns(wanted, "topics", "posts", "versions"))}


async def remove_unwritten(postgres: Postgres, places: Sequence[tuple[Any, ...]]) -> None:
    """Removes rows of outboxes, given by author and post, if the author has no such post."""
    await postgres.write(_FORGET, **columns(places, "authors", "posts"))
