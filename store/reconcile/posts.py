"""Compares outboxes (the posts of each author) and topics with the rows of posts from which they are derived."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.posts import OutboxState
from store.people.users import IS_UNCOUNTED
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Keyset, compared

_PUBLIC = "status = 1 AND NOT deleted"
_POSTS = text(f"""
    WITH batch AS MATERIALIZED (
        SELECT post_id, author_id, topics, {_PUBLIC} AS public, version, moment, CASE
            WHEN deleted THEN {OutboxState.DELETED:d} WHEN {_PUBLIC} THEN {OutboxState.VISIBLE:d}
            ELSE {OutboxState.HIDDEN:d} END AS state
        FROM posts WHERE post_id > :post ORDER BY post_id LIMIT :count
    ), agreeing AS MATERIALIZED (SELECT post_id FROM batch JOIN outboxes USING (author_id, post_id, moment, state))
    SELECT post_id, topics, public, version, a.post_id IS NULL AS drifts
    FROM batch LEFT JOIN agreeing a USING (post_id) ORDER BY post_id
""")  # noqa: S608 - constants
# Posts whose version has changed since they were read are left to a later run.
_ABSENT = text("""
    WITH wanted AS MATERIALIZED (
        SELECT w.topic_id, w.post_id, p.moment, p.version = w.version AS is_same
        FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[]), CAST(:versions AS bigint[]))
             AS w(topic_id, post_id, version)
        JOIN posts p USING (post_id)
    ), listed AS MATERIALIZED (
        SELECT w.topic_id, w.post_id FROM wanted w JOIN topic_posts t USING (topic_id, post_id, moment)
    ), known AS MATERIALIZED (
        SELECT topic_id FROM topics WHERE topic_id = ANY(CAST(:topics AS bigint[])) UNION ALL SELECT 0
    )
    SELECT DISTINCT post_id FROM wanted WHERE is_same AND (
        (topic_id, post_id) NOT IN (SELECT topic_id, post_id FROM listed)
        OR topic_id NOT IN (SELECT topic_id FROM known))
""")
_PLACES = text(f"""
    WITH batch AS MATERIALIZED (
        SELECT topic_id, post_id, moment, counted FROM topic_posts WHERE (topic_id, post_id) > (:topic, :post)
        ORDER BY topic_id, post_id LIMIT :count
    ), written AS MATERIALIZED (
        SELECT b.topic_id, post_id, p.moment = b.moment AND {_PUBLIC} AS public, p.topics, p.author_id
        FROM batch b JOIN posts p USING (post_id)
    ), uncounted AS MATERIALIZED (
        SELECT DISTINCT author_id FROM written w JOIN users u ON u.user_id = w.author_id WHERE {IS_UNCOUNTED}
    ), recounted AS MATERIALIZED (
        SELECT DISTINCT author_id FROM written JOIN topic_recounts USING (author_id)
    )
    SELECT topic_id, post_id, w.public, w.topics, topic_id <> 0
        AND counted = (author_id IN (SELECT author_id FROM uncounted))
        AND author_id NOT IN (SELECT author_id FROM recounted) AS miscounted
    FROM batch LEFT JOIN written w USING (topic_id, post_id) ORDER BY topic_id, post_id
""")  # noqa: S608 - constants
UNWRITTEN = compared(
    "author_id, post_id",
    ("author", "post"),
    """SELECT author_id, post_id FROM outboxes WHERE (author_id, post_id) > (:author, :post)
   ORDER BY author_id, post_id LIMIT :count""",
    "SELECT author_id, post_id FROM batch JOIN posts USING (author_id, post_id)",
)
"""Compares all rows of outboxes, by author and post. A row drifts if the author has no such post."""

_GIVEN = "unnest(CAST(:authors AS bigint[]), CAST(:posts AS bigint[])) AS w(author_id, post_id)"
_IS_GIVEN = "(o.author_id, o.post_id) = (w.author_id, w.post_id)"
_HOLD = text(f"UPDATE outboxes o SET state = o.state FROM {_GIVEN} WHERE {_IS_GIVEN}")  # noqa: S608 - constants
_WRITTEN = text(f"SELECT author_id, post_id FROM posts JOIN {_GIVEN} USING (author_id, post_id)")  # noqa: S608
_FORGET = text(f"DELETE FROM outboxes o USING {_GIVEN} WHERE {_IS_GIVEN}")  # noqa: S608 - constants
_OF_GIVEN = "authors", "posts"

POSTS = Keyset(_POSTS, ("post",))
"""Reads all posts in batches: id, topics, whether the post is public, version, and whether its row in the outbox is
wrong.
"""

PLACES = Keyset(_PLACES, ("topic", "post"))
"""Reads all rows of the table `topic_posts` in batches: topic, post, whether the post is public and has the moment of
the row, the topics that the post names, and whether the flag `counted` is wrong. While the posts of an author are being
counted again, `counted` may be wrong and is not compared.
"""


async def find_absent(postgres: Postgres, wanted: Sequence[tuple[int, int, int]]) -> set[int]:
    """Returns the ids of the posts that are missing in their topics. `wanted` has (topic id, post id, version of the
    post). A post is also missing if the topic lists it with a wrong moment, or if the topic does not exist. Leaves out
    posts whose version has changed since.
    """
    return {post for (post,) in await postgres.read(_ABSENT, **columns(wanted, "topics", "posts", "versions"))}


async def remove_unwritten(transaction: Transaction, places: Sequence[tuple[Any, ...]]) -> None:
    """Removes rows of outboxes, given as (author, post), if the author has no such post. Locks the rows first, so that
    no such post is written meanwhile.
    """
    await transaction.execute(_HOLD, **columns(places, *_OF_GIVEN))
    written = {tuple(row) for row in await transaction.execute(_WRITTEN, **columns(places, *_OF_GIVEN))}
    unwritten = [place for place in places if place not in written]
    await transaction.execute(_FORGET, **columns(unwritten, *_OF_GIVEN))
