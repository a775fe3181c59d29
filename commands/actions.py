"""recordViews, recordShares and recordActions: count actions of users and of anonymous devices. Like other writes, they
are appended to the write log, from which workers store them in Postgres.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from commands import targets
from commands.changes import Change, DirectWrite, Fields
from commands.targets import Subject
from commands.write import Write
from context import Context
from domain.errors import BadInput, Refused, Unauthenticated, UserErrorCode
from models.actions import SHARED, VIEWED, ActionKind
from state import State
from store.reactions import actions
from store.reactions.actions import HOUR_MS, Action
from store.write_log.operations import Operation, Outcome, Status

MOST_TARGETS = 100
_MUTATIONS = {VIEWED: "recordViews", SHARED: "recordShares"}


@dataclass(frozen=True, slots=True)
class _Recorded(Change):
    """Actions of one kind, such as views, by one actor in one hour. `hour` is the number of hours since the Unix epoch.

    Some actions are accepted but not counted: those of an anonymous device whose network has reached its limits, and
    repeated actions of a kind that counts once per hour and target.
    """

    kind: ActionKind
    actions: Sequence[Action]
    hour: int

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the actions to the actor's journal, at most once for the same `operation`. The status of the outcome
        is DONE, or says why nothing was appended.
        """
        return await state.actions.record(actor_id, self.kind, self.actions, operation, self.hour)

    async def entries(self, direct: DirectWrite) -> Sequence[Fields] | Status:
        """Returns one journal entry for each action to count, within the limits of an anonymous device's network. A
        user's action that counts once per hour, such as a view, is not looked up here: its row has a unique key, so a
        second one is not counted.
        """
        bounds = direct.state.actions.bounds
        allowed = await actions.within(direct.transaction, direct.actor_id, self.kind, self.actions, self.hour, bounds)
        return [{"kind": self.kind.name, "data": one.entry} for one in allowed]


async def record(
    context: Context, kind: ActionKind | str, target_ids: Sequence[str], idempotency_key: str | None
) -> list[Subject]:
    """Counts one action of the caller on each target. `kind` is `VIEWED`, `SHARED`, or the name of a counter that the
    targets' business (a line of content, such as videos) defines. Returns the target of each id, in order.

    Raises Unauthenticated for a caller with neither token nor device id; BadInput for no targets, too many targets, an
    invalid id or key, or a named action on targets of several businesses; Forbidden if the token is for other
    businesses; Refused with TARGET_NOT_FOUND, ACTION_UNKNOWN or IDEMPOTENCY_MISMATCH; RateLimited; Unavailable. After
    each of these errors except Unavailable, nothing is counted.
    """
    if not 1 <= len(target_ids) <= MOST_TARGETS:
        raise BadInput(f"Pass 1 to {MOST_TARGETS} ids.")
    actor_id = context.actor_id
    if actor_id is None:
        raise Unauthenticated("Sign in, or send an X-Device-Id header.")
    mutation, action = ("recordActions", kind) if isinstance(kind, str) else (_MUTATIONS[kind], kind.name)
    async with Write(context, mutation, idempotency_key, action, *target_ids, actor_id=actor_id) as write:
        subjects = await targets.subjects(context, target_ids, "targetIds")
        counted = await targets.contents(context, subjects)
        of = _of_business(context, kind, counted) if isinstance(kind, str) else kind
        unique = {subject.ref: subject for subject in counted}.values()
        hour = context.state.now_ms() // HOUR_MS
        await write.append(_Recorded(of, [Action(s.ref, _journal_entry(actor_id, of, s, hour)) for s in unique], hour))
    context.forget()
    return subjects


def _of_business(context: Context, action: str, subjects: Sequence[Subject]) -> ActionKind:
    """Returns the kind of action that the counter named `action` counts. The business of the subjects must define this
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
