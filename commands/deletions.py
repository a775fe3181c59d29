"""deleteUser and cancelDeletion: each checks its input and appends one change to the write log, which acknowledges the
change. From then on the account is hidden. workers/deletions removes its data when the deletion is due.
"""

from dataclasses import replace

import orjson

from commands import targets
from commands.early_step import EarlyStep
from commands.write import Write
from context import Context
from domain.errors import BadInput, Refused, Unavailable, UserErrorCode
from models.deletions import DELETE_USER, DeletionMode, DeletionRow, DeletionState
from models.users import UserRow

MOST_DAYS = 365
_DAY_MS = 86_400_000


async def delete(
    context: Context, user_id: str | None, mode: DeletionMode, grace_days: int | None, idempotency_key: str | None
) -> DeletionRow | None:
    """Requests the deletion of an account, exactly once: that of the viewer or, if `user_id` is given, of this user.
    Workers begin after `grace_days` days; None stands for the setting. A second request replaces the first one. Returns
    the deletion; None if this is a repeated request, and the deletion was cancelled since.

    Raises Unauthenticated, Forbidden without the scope `users:write` if `user_id` is given, BadInput, RateLimited,
    Unavailable; Refused with TARGET_NOT_FOUND or IDEMPOTENCY_MISMATCH, or with TARGET_DELETED if workers have begun,
    except if `mode` is the same and `grace_days` is 0.
    """
    days = context.state.settings.people.deletion_grace_days if grace_days is None else grace_days
    if not 0 <= days <= MOST_DAYS:
        raise BadInput(f"graceDays must be 0 to {MOST_DAYS}.")
    parts = user_id, int(mode), grace_days
    user = await _append(context, "deleteUser", user_id, idempotency_key, parts, mode, days)
    return user.deleting


async def cancel(context: Context, user_id: str | None, idempotency_key: str | None) -> None:
    """Cancels the deletion of an account, exactly once: that of the viewer or, if `user_id` is given, of this user.
    Succeeds and changes nothing if there is no deletion.

    Raises Unauthenticated, Forbidden without the scope `users:write` if `user_id` is given, BadInput, RateLimited,
    Unavailable; Refused with TARGET_NOT_FOUND or IDEMPOTENCY_MISMATCH, or with TARGET_DELETED if workers have begun.
    """
    await _append(context, "cancelDeletion", user_id, idempotency_key, (user_id,), None, None)


async def _append(
    context: Context,
    mutation: str,
    user_id: str | None,
    idempotency_key: str | None,
    parts: tuple[object, ...],
    mode: DeletionMode | None,
    days: float | None,
) -> UserRow:
    """Appends the request (or, if `mode` and `days` are None, the cancellation) to the journal of the user. Returns the
    user after the change.
    """
    due_ms = None if days is None else context.state.now_ms() + int(days * _DAY_MS)
    user = await _account(context, user_id)
    async with Write(context, mutation, idempotency_key, *parts, actor_id=user.user_id, for_deleted=True) as write:
        await write.ready()
        if _has_begun(user, mode, days):
            return user
        entry = {"actor": user.user_id, "business": user.ref.business_id, "entity": user.user_id}
        change = {"mode": mode, "due": due_ms}
        await write.append(EarlyStep(DELETE_USER, user.ref, orjson.dumps({**entry, **change})))
    context.shared.checked_accounts.pop(user.user_id, None)
    context.forget()
    try:
        found = await context.content.kept_users.load(user.user_id)
    except Unavailable:  # the change was made
        deletion = DeletionState.PENDING if mode else None
        return replace(user, deletion=deletion, deletion_mode=mode, deletion_due_ms=due_ms)
    assert found is not None
    _has_begun(found, mode, days)
    return found


def _has_begun(user: UserRow, mode: DeletionMode | None, days: float | None) -> bool:
    """Returns whether workers have begun to delete the account. Raises Refused with TARGET_DELETED if they have, and
    the caller does not ask for a deletion in the same mode at once.
    """
    if user.deletion in (None, DeletionState.PENDING):
        return False
    if mode != user.deletion_mode or days != 0:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This account is being deleted or was deleted.")
    return True


async def _account(context: Context, user_id: str | None) -> UserRow:
    """Returns the user whose account is meant. Without an id, this is the viewer."""
    if user_id is not None:
        return await targets.issued_user(context, user_id, "userId")
    viewer = await context.content.kept_users.load(context.require_viewer().user_id)
    assert viewer is not None  # every viewer has a row
    return viewer
