"""recordViews, recordShares and recordActions: count actions of users and devices. Like other writes, they go
through the write log.
"""

from collections.abc import Sequence

import orjson

from commands import idempotency, targets
from commands.targets import Subject
from commands.write_log import WriteLog
from context import Context
from domain.errors import BadInput, Refused, Unauthenticated, UserErrorCode
from store.reactions.actions import HOUR_MS, SHARED, VIEWED, Action, ActionKind
from store.write_log.operations import Outcome

MOST_TARGETS = 100
_MUTATIONS = {VIEWED: "recordViews", SHARED: "recordShares"}


async def record(
    context: Context, kind: ActionKind | str, target_ids: Sequence[str], idempotency_key: str | None
) -> list[Subject]:
    """Counts an action of the caller on each target: a view, a share, or an action of the counter named `kind`, which
    the business of the targets defines. Returns the targets, in order.

    Raises Unauthenticated for a caller with neither token nor device id; BadInput for no targets, too many targets, an
    invalid id or key, or a named action on targets of several businesses; Refused with TARGET_NOT_FOUND, ACTION_UNKNOWN
    or IDEMPOTENCY_MISMATCH. After each of these errors, nothing is counted.
    """
    if not 1 <= len(target_ids) <= MOST_TARGETS:
        raise BadInput(f"Pass 1 to {MOST_TARGETS} ids.")
    actor_id = context.actor_id
    if actor_id is None:
        raise Unauthenticated("Sign in, or send an X-Device-Id header.")
    mutation, action = ("recordActions", kind) if isinstance(kind, str) else (_MUTATIONS[kind], kind.name)
    operation = idempotency.operation(context, mutation, idempotency_key, action, *target_ids)

    async def prepare() -> tuple[list[Subject], ActionKind]:
        subjects = await targets.subjects(context, target_ids, "targetIds")
        return subjects, _of_business(context, kind, subjects) if isinstance(kind, str) else kind

    async def append(log: WriteLog, prepared: tuple[list[Subject], ActionKind]) -> Outcome:
        subjects, of = prepared
        unique = {subject.ref: subject for subject in subjects}.values()
        hour = context.state.now_ms() // HOUR_MS
        recorded = [Action(s.ref, _journal_entry(actor_id, of, s, hour)) for s in unique]
        return await log.record(actor_id, of, recorded, operation, hour)

    (subjects, _), _ = await idempotency.once(context, actor_id, operation, prepare, append)
    context.forget()
    return subjects


def _of_business(context: Context, action: str, subjects: Sequence[Subject]) -> ActionKind:
    """Returns the kind of action that the counter named `action` counts. The business of the subjects defines this
    counter.

    Raises BadInput if the subjects belong to several businesses, Refused if their business has no counter with this
    name.
    """
    businesses = {subject.business for subject in subjects}
    if len(businesses) > 1:
        raise BadInput("Pass ids of one business. Each business has counters of its own.")
    counter = context.state.businesses[businesses.pop()].counter(action)
    if counter is None:
        message = "The business of these targets has no counter with this name."
        raise Refused.because(UserErrorCode.ACTION_UNKNOWN, message, "action")
    return ActionKind.of(counter)


def _journal_entry(actor_id: int, kind: ActionKind, subject: Subject, hour: int) -> bytes:
    place = {"business": subject.business_id, "entity": subject.entity_id}
    return orjson.dumps({"actor": actor_id, **place, "hour": hour, "once": kind.once_per_hour})
