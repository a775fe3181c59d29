"""followTopic, unfollowTopic, followEntity and unfollowEntity: each checks its input and appends one change to the
write log, which acknowledges the change.
"""

import orjson

from commands import targets
from commands.own_sets import OwnChange, append_counted
from commands.write import Write
from context import Context
from domain.errors import Refused, UserErrorCode
from models.content_follows import CONTENT_FOLLOW, text_of
from models.counters import EntityRef
from models.entities import EntityRow
from models.own_sets import Transition
from models.topics import TopicRow
from store.write_log.operations import Status


async def follow_topic(
    context: Context, topic_id: str, idempotency_key: str | None, *, follows: bool
) -> TopicRow | None:
    """Makes the viewer follow a topic or, if `follows` is false, unfollow it, exactly once. Returns the topic. After an
    unfollow, returns None if there is no such topic, or if the viewer may see none of its newest posts.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, FOLLOW_LIMIT_REACHED,
    SUSPENDED or IDEMPOTENCY_MISMATCH. Following or unfollowing again succeeds and changes nothing. A suspension does
    not prevent an unfollow.
    """
    name = "followTopic" if follows else "unfollowTopic"
    async with Write(context, name, idempotency_key, topic_id, unless_suspended=follows) as write:
        key, topic = await targets.kept_topic(context, topic_id, "topicId")
        if follows:
            topic = targets.existing(topic, targets.NO_TOPIC, "topicId")
        row = topic or TopicRow(key)
        await _append(context, write, row.ref, "topicId", follows=follows, name=row.name)
    return topic


async def follow_entity(
    context: Context, entity_id: str, idempotency_key: str | None, *, follows: bool
) -> EntityRow | None:
    """Makes the viewer follow an entity or, if `follows` is false, unfollow it, exactly once. Returns the entity. After
    an unfollow, returns None if the entity was removed or is hidden from the viewer.

    Raises Unauthenticated, BadInput, RateLimited, Unavailable; Refused with TARGET_NOT_FOUND, FOLLOW_LIMIT_REACHED,
    BLOCKED, SUSPENDED or IDEMPOTENCY_MISMATCH. Following or unfollowing again succeeds and changes nothing. A block or
    a suspension does not prevent an unfollow.
    """
    name = "followEntity" if follows else "unfollowEntity"
    async with Write(context, name, idempotency_key, entity_id, unless_suspended=follows) as write:
        kept = await targets.kept_entity(context, entity_id, "entityId")
        entity = await context.content.entities_by_id.load(kept.ref)  # None if a label hides it from the viewer
        if follows:
            entity = targets.existing(entity, targets.NO_ENTITY, "entityId")
            await targets.check_owner(context, entity, "entityId")
        await _append(context, write, kept.ref, "entityId", follows=follows)
    return entity


async def _append(context: Context, write: Write, ref: EntityRef, field: str, *, follows: bool, name: str = "") -> None:
    """Appends the change of the viewer's follow of the topic or entity `ref`. `name` is the name of the topic. If the
    viewer's follows are not cached and Postgres is down, the follow is made without a check of the limit.
    """
    about = {"actor": write.actor_id, "business": ref.business_id, "entity": ref.entity_id, "name": name}
    text = text_of(name) if follows else ""
    transition = Transition(CONTENT_FOLLOW, ref, int(follows), orjson.dumps(about), blind=True, text=text)
    await append_counted(context, write, OwnChange(transition))
    if write.outcome.status is Status.LIMIT:
        message = f"You can follow at most {context.state.settings.people.content_follow_limit} topics and entities."
        raise Refused.because(UserErrorCode.FOLLOW_LIMIT_REACHED, message, field)
