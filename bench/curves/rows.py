"""Writes rows of users with reactions, follows, posts, comments and notifications, with one statement for each table.

For every 10 reactions there are a user, an entity, 5 follows, 2 posts, 2 comments and 2 notifications, at any size. So
only the tables grow, not what belongs to one user. The exceptions are the most popular post, which gets a tenth of the
reactions and of the comments, and a hundred topics.
"""

from typing import Final

import asyncpg

from bench.curves.ids import (
    COMMENTS,
    EACH,
    ENTITIES,
    FOLLOWED,
    HANDLE,
    POSTS,
    STRIDE,
    TOPICS,
    USERS,
    WRITTEN,
    topic_name,
)
from models.counters import CounterKind
from models.topics import topic_id
from settings import POSTS as POST
from settings import USERS as USER

VIDEO: Final = 100
"""The number of the business to which the entities belong."""
DAY_MS: Final = 86_400_000
_SPACE: Final = 100 << 10
"""The difference between the moments of two posts or comments: 100 milliseconds."""
_SQUARE: Final = 0

# All statements: $1 is the first new user, $2 the number of users afterwards, $3 the time of the first post in ms.
_NEW = "generate_series($1::bigint, $2::bigint - 1)"
_WRITTEN = f"generate_series($1::bigint * {WRITTEN}, $2::bigint * {WRITTEN} - 1)"
_MOMENT = f"($3::bigint << 10) + n * {_SPACE}"
_VERSION = f"(($3::bigint + n * {_SPACE >> 10}) << 20)"

_USERS = f"""
    INSERT INTO users (user_id, handle, display_name)
    SELECT {USERS} + i, '{HANDLE}' || i, 'Person ' || i FROM {_NEW} i
"""
_HANDLES = f"INSERT INTO handles (handle, user_id) SELECT '{HANDLE}' || i, {USERS} + i FROM {_NEW} i"
_ENTITIES = f"""
    INSERT INTO entities (business_id, entity_id, key, owner_id, title)
    SELECT {VIDEO}, {ENTITIES} + i, '{HANDLE}' || i, {USERS} + i, 'The story of ' || i FROM {_NEW} i
"""
_ENTITY_KEYS = f"""
    INSERT INTO entity_keys (business_id, key, entity_id) SELECT {VIDEO}, '{HANDLE}' || i, {ENTITIES} + i FROM {_NEW} i
"""
_POSTS = f"""
    INSERT INTO posts (post_id, author_id, moment, text, images, topics, status, deleted,
                       content_version, audit_version, version)
    SELECT {POSTS} + n, {USERS} + n / {WRITTEN}, {_MOMENT}, 'Post number ' || n || '. ' || repeat('今天天气很好。', 4),
           '[]', ARRAY['{topic_name(0)[:-1]}' || n % {TOPICS}], 1, false, {_VERSION}, {_VERSION}, {_VERSION}
    FROM {_WRITTEN} n
"""
_OUTBOXES = f"""
    INSERT INTO outboxes (author_id, post_id, moment, state, pushed)
    SELECT {USERS} + n / {WRITTEN}, {POSTS} + n, {_MOMENT}, 1, true FROM {_WRITTEN} n
"""
_TOPIC_POSTS = f"""
    INSERT INTO topic_posts (topic_id, post_id, moment, score)
    SELECT topic, {POSTS} + n, {_MOMENT}, {_MOMENT} + n * {STRIDE} % 1000 * {DAY_MS}
    FROM {_WRITTEN} n CROSS JOIN LATERAL unnest(ARRAY[{_SQUARE}, ($4::bigint[])[n % {TOPICS} + 1]]) AS topic
"""
_REACTIONS = f"""
    INSERT INTO reactions (user_id, business_id, entity_id, owner_id, state, version)
    SELECT {USERS} + i, CASE WHEN k < 7 THEN {POST} ELSE {VIDEO} END,
           CASE WHEN k < 7 THEN {POSTS} + post ELSE {ENTITIES} + entity END,
           {USERS} + CASE WHEN k < 7 THEN post / {WRITTEN} ELSE entity END, 1, (($3::bigint + i) << 20) + k
    FROM {_NEW} i CROSS JOIN generate_series(0, {EACH} - 1) k CROSS JOIN LATERAL (
        SELECT CASE WHEN k = 0 THEN 0 ELSE 1 + (i * 9 + k * {STRIDE}) % ($2::bigint * {WRITTEN} - 1) END AS post,
               (i * 3 + k * {STRIDE}) % $2::bigint AS entity
    ) AS target
    ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING
"""
_NEW_REACTIONS = f"reactions WHERE user_id >= {USERS} + $1::bigint AND user_id < {USERS} + $2::bigint"
_ADD = "ON CONFLICT (business_id, entity_id, kind) DO UPDATE SET value = counters.value + excluded.value"
_LIKES = f"""
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT business_id, entity_id, {CounterKind.LIKES:d}, count(*), 1 FROM {_NEW_REACTIONS} GROUP BY 1, 2 {_ADD}
"""
_RECEIVED = f"""
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT {USER}, owner_id, {CounterKind.LIKES_RECEIVED:d}, count(*), 1 FROM {_NEW_REACTIONS} GROUP BY 2 {_ADD}
"""
_DAILY = f"""
    INSERT INTO daily_likes AS d (business_id, day, entity_id, value)
    SELECT business_id, $3::bigint / {DAY_MS} + 3 - entity_id % 7, entity_id, count(*) FROM {_NEW_REACTIONS}
    GROUP BY 1, 2, 3 ON CONFLICT (business_id, day, entity_id) DO UPDATE SET value = d.value + excluded.value
"""
_PAIRS = f"""
    FROM {_NEW} n CROSS JOIN generate_series(1, {FOLLOWED}) k
    CROSS JOIN LATERAL (SELECT {USERS} + n AS fan, {USERS} + (n + k * {STRIDE}) % $2::bigint AS followed) AS pair
"""
_FOLLOWS = f"""
    INSERT INTO follows (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
    SELECT least(fan, followed), greatest(fan, followed), fan < followed, fan > followed,
           CASE WHEN fan < followed THEN {_VERSION} ELSE 0 END, CASE WHEN fan > followed THEN {_VERSION} ELSE 0 END,
           {_MOMENT} {_PAIRS} ON CONFLICT DO NOTHING
"""
_FOLLOWING = f"""
    INSERT INTO following (user_id, followee_id, moment)
    SELECT fan, followed, {_MOMENT} {_PAIRS} ON CONFLICT DO NOTHING
"""
_FOLLOWERS = f"""
    INSERT INTO followers (user_id, follower_id, moment)
    SELECT followed, fan, {_MOMENT} {_PAIRS} ON CONFLICT DO NOTHING
"""
_SUBJECT = f"{POSTS} + CASE WHEN n % 10 = 0 THEN 0 ELSE 1 + n * {STRIDE} % ($2::bigint * {WRITTEN} - 1) END"
_COMMENTS = f"""
    INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
    SELECT {POST}, {_SUBJECT}, {COMMENTS} + n, 0, {USERS} + n / {WRITTEN}, {_MOMENT}, 1,
           {_MOMENT} + n * {STRIDE} % 1000 * {DAY_MS}
    FROM {_WRITTEN} n
"""
_CONTENTS = f"""
    INSERT INTO comment_contents (comment_id, subject_business, subject_id, author_id, moment, text, status, deleted,
                                  floor, answered, content_version, audit_version, version)
    SELECT {COMMENTS} + n, {POST}, {_SUBJECT}, {USERS} + n / {WRITTEN}, {_MOMENT}, 'Comment number ' || n, 1, false,
           n + 1, false, {_VERSION}, {_VERSION}, {_VERSION}
    FROM {_WRITTEN} n
"""
_SUBJECTS = f"""
    INSERT INTO comment_subjects (business_id, entity_id, floors)
    SELECT DISTINCT {POST}, {_SUBJECT}, 1000000000 FROM {_WRITTEN} n ON CONFLICT DO NOTHING
"""
_NOTIFICATIONS = f"""
    INSERT INTO notifications (user_id, notification_id, kind, business_id, entity_id, created_ms, updated_ms, moment,
                               actors, actor_count)
    SELECT {USERS} + n / {WRITTEN}, n, 1, {POST}, {POSTS} + n, $3::bigint, $3::bigint, {_MOMENT},
           ARRAY[{USERS}::bigint], 1
    FROM {_WRITTEN} n
"""
_HEADS = f"""
    INSERT INTO notification_heads (user_id, moment, prev_moment, read_moment)
    SELECT {USERS} + n, ($3::bigint << 10) + (n + 1) * {WRITTEN * _SPACE}, 0, 0 FROM {_NEW} n
"""
_STATEMENTS = (
    *(_USERS, _HANDLES, _ENTITIES, _ENTITY_KEYS, _POSTS, _OUTBOXES, _TOPIC_POSTS, _REACTIONS, _LIKES, _RECEIVED),
    *(_DAILY, _FOLLOWS, _FOLLOWING, _FOLLOWERS, _COMMENTS, _CONTENTS, _SUBJECTS, _NOTIFICATIONS, _HEADS),
)
_TOPICS = "INSERT INTO topics (topic_id, name) SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING"


async def grow(connection: asyncpg.Connection, first: int, users: int, began_ms: int) -> None:
    """Adds the rows of the users with the numbers from `first` to `users` - 1, and vacuums the tables. The oldest rows
    are dated at `began_ms`, in milliseconds since the Unix epoch.
    """
    names = [topic_name(number) for number in range(TOPICS)]
    ids = [topic_id(name) for name in names]
    await connection.execute(_TOPICS, ids, names)
    for statement in _STATEMENTS:
        await connection.execute(
            statement,
            first,
            users,
            *([began_ms] if "$3" in statement else []),
            *([ids] if "$4" in statement else []),
            timeout=None,
        )
    await connection.execute("VACUUM ANALYZE", timeout=None)
    await connection.execute("CHECKPOINT", timeout=None)
