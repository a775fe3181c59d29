"""Writes the rows of hidden posts and of muted words, and reads those of several users. `boundary_rows` reads those of
one user.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import text

from store.postgres.client import Reader, Transaction
from store.postgres.columns import columns

_WRITE = text("""
    INSERT INTO hidden_posts AS h (user_id, post_id, state, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:posts AS bigint[]), CAST(:states AS smallint[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, post_id) DO UPDATE SET state = excluded.state, version = excluded.version
    WHERE h.version < excluded.version
""")
_WRITE_WORDS = text("""
    INSERT INTO muted_words AS w (user_id, words, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:words AS text[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id) DO UPDATE SET words = excluded.words, version = excluded.version
    WHERE w.version < excluded.version
""")

_WORDS = text("SELECT user_id, words FROM muted_words WHERE user_id = ANY(CAST(:users AS bigint[])) AND words <> ''")
_HIDDEN = text("""
    SELECT user_id, post_id FROM hidden_posts
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND post_id = ANY(CAST(:posts AS bigint[])) AND state > 0
""")

HiddenRow = tuple[int, int, int, int]
"""A hidden post: user, post, state, version."""
WordsRow = tuple[int, str, int]
"""The muted words of a user: user, all words as one text, version."""


async def write(transaction: Transaction, rows: Sequence[HiddenRow]) -> None:
    """Writes hidden posts, except those whose stored rows have the same or a higher version. `rows` have each pair of a
    user and a post at most once.
    """
    await transaction.execute(_WRITE, **columns(sorted(rows), "users", "posts", "states", "versions"))


async def write_words(transaction: Transaction, rows: Sequence[WordsRow]) -> None:
    """Writes muted words, except those whose stored rows have the same or a higher version. `rows` have each user at
    most once.
    """
    await transaction.execute(_WRITE_WORDS, **columns(sorted(rows), "users", "words", "versions"))


async def words_of(source: Reader, users: Sequence[int]) -> dict[int, str]:
    """Returns the muted words of users, as one text for each user. Users without muted words are left out."""
    return {row.user_id: row.words for row in await source.read(_WORDS, users=users)}


async def hidden_among(source: Reader, users: Sequence[int], posts: Sequence[int]) -> Collection[tuple[int, int]]:
    """Returns the pairs of a user in `users` and a post in `posts` that the user hides."""
    return {(row.user_id, row.post_id) for row in await source.read(_HIDDEN, users=users, posts=posts)}
