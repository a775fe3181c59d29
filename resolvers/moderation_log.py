"""The moderation log, which has a line for each decision about a post, comment, user, entity or collection."""

from collections.abc import Sequence

import orjson

from commands.targets import ReportTarget, check_unrestricted
from context import Context
from domain.ids import EntityId, TopicId, parse_id
from identity.permissions import ModeratorRole
from models.counters import EntityRef
from models.moderation_log import LogRow
from models.topics import TopicRow, topic_id
from resolvers.moderation_queue import targets_of
from resolvers.pages import Connection, Scope, check_first, position
from settings import COLLECTIONS, COMMENTS, POSTS, TOPICS, USERS
from store.cache.lists import Item
from store.moderation import log
from store.moderation.log import LogFilter

_NOTHING = EntityRef(0, 0)
"""A target that no line of the log has, for an id of an object that does not exist."""


async def page(
    context: Context, target_id: str | None, user_id: str | None, actor_id: str | None, first: int, after: str | None
) -> Connection[LogRow]:
    """Resolves Query.moderationLog: a page of the moderation log, newest line first, read from Postgres.

    Arguments that are not None select lines, and all must match: `target_id` lines about a target, `user_id` lines
    about a user and the user's content, `actor_id` lines about decisions of a user.

    Raises Unauthenticated without a token, Forbidden without a role in moderation or is restricted to
    businesses, BadCursor for an invalid cursor, and BadInput for a malformed id or unless `first` is 1 to 100.
    """
    context.require_role(ModeratorRole.AUDITOR)
    check_unrestricted(context)
    wanted = LogFilter(
        None if target_id is None else await _ref(context, target_id),
        *[None if id_ is None else (await _ref(context, id_)).entity_id for id_ in (user_id, actor_id)],
    )
    state, scope = context.state, f"moderation log {target_id} {user_id} {actor_id}"
    before, passed = position(state.cursors, Scope(scope), after)
    rows = await log.page(state.postgres, wanted, before, check_first(first) + 1)
    items = [Item(row.moment, row.log_id) for row in rows[:first]]
    by_id: dict[int, LogRow | None] = {row.log_id: row for row in rows[:first]}
    return Connection(state.cursors, scope, items, passed, by_id, len(rows) > first, after is not None)


async def _ref(context: Context, id_: str) -> EntityRef:
    parsed = parse_id(id_)
    if isinstance(parsed, EntityId):
        business = context.state.external.get(parsed.business)
        row = business and await context.content.kept_entities.load((business.id, parsed.key))
        return row.ref if row else _NOTHING
    if isinstance(parsed, TopicId):
        return EntityRef(TOPICS, topic_id(parsed.key))
    business_id = {"User": USERS, "Post": POSTS, "Comment": COMMENTS, "Collection": COLLECTIONS}.get(
        id_.partition(":")[0]
    )
    return EntityRef(business_id, parsed.id) if business_id else _NOTHING


async def targets(context: Context, rows: Sequence[LogRow]) -> Sequence[ReportTarget | TopicRow | None]:
    """Resolves ModerationLogEntry.target: the object that each line is about; None for a deleted post, and the
    tombstone (without text and author) of a deleted comment.
    """
    found = await targets_of(context, [(row.ref, row.user_id) for row in rows])
    return [_topic(row) if row.ref.business_id == TOPICS else found.get(row.ref.entity_id) for row in rows]


def _topic(row: LogRow) -> TopicRow:
    """Returns the topic that a line is about. Its name is in the state before the decision."""
    return TopicRow(orjson.loads(row.before or "")["name"])
