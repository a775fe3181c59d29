"""setTopicState: a moderator unlists a topic, or lists it again."""

import orjson

from commands.changes import ModerationStep
from commands.write import Write
from context import Context
from domain import texts, topics
from domain.errors import Refused, UserErrorCode
from identity.permissions import ModeratorRole
from models.moderation_steps import TOPIC_STATE
from models.topics import TopicRow, TopicState

_LONGEST_REASON = 500


async def set_state(
    context: Context, name: str, state: TopicState, reason: str | None, idempotency_key: str | None
) -> TopicRow:
    """Unlists a topic, or lists it again. The topic need not exist yet: it is then unlisted from its first post on.
    Returns the topic. Succeeds and changes nothing if the topic has the state already.

    Raises Unauthenticated, Forbidden below the role LEAD, BadInput, Unavailable; Refused with TOPIC_INVALID,
    SUSPENDED, TEXT_TOO_LONG, TEXT_INVALID, or IDEMPOTENCY_MISMATCH.
    """
    moderator_id = context.require_role(ModeratorRole.LEAD).user_id
    write = Write(context, "setTopicState", idempotency_key, name, state.value, reason, unless_suspended=True)
    spelling = topics.spelling(name)
    if spelling is None:
        raise Refused.because(UserErrorCode.TOPIC_INVALID, topics.RULE, "name")
    if reason is not None:
        reason = texts.user_text(reason, _LONGEST_REASON, "reason")
    async with write:
        (known,) = await context.content.topics.ask([topics.key(spelling)], each=True)
        topic = TopicRow(known if isinstance(known, str) else spelling, state)
        business_id, entity_id = topic.ref
        entry = {"actor": moderator_id, "business": business_id, "entity": entity_id, "name": topic.name}
        decision = {"state": state.value, "reason": reason or None}
        await write.append(ModerationStep(TOPIC_STATE, topic.ref, orjson.dumps({**entry, **decision})))
    return topic
