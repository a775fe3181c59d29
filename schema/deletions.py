"""Deletions of accounts, and the mutations that request and cancel them."""

from datetime import datetime
from typing import Any

import strawberry
from strawberry import UNSET

from commands import deletions as commands
from models.deletions import DeletionMode, DeletionState
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors

_QUERIES = frozenset({"Query.viewer", "Viewer.deletion", "Viewer.export"})
_MUTATIONS = frozenset({"Mutation.deleteUser", "Mutation.cancelDeletion", "Mutation.exportUser"})
"""The root fields and private fields that work while the viewer's account is being deleted."""


def is_for_deleted(fields: frozenset[str]) -> bool:
    """Tells whether an operation with these fields may run while the viewer's account is being deleted. Every other
    operation fails as a whole with `ACCOUNT_DELETED`.

    An operation with one of these mutations runs, because its other mutations check the account themselves: they fail
    with `ACCOUNT_DELETED` before a `cancelDeletion`, and succeed after it.
    """
    return fields <= _QUERIES or not fields.isdisjoint(_MUTATIONS)


describe_enum(
    DeletionMode,
    "The treatment of the posts and comments of a deleted user. Everything else of the account is removed with both "
    "modes: reactions, follows, saves, collections, blocks, mutes, notifications and the profile.",
    ANONYMIZE="Posts and comments stay. Their author is a user without data, with the display name `Deleted user`.",
    ERASE="Posts and comments are removed. A comment with replies keeps its place, without text and author.",
)
describe_enum(
    DeletionState,
    "The progress of the deletion of an account.",
    PENDING="The account is hidden from all other users. `cancelDeletion` restores it.",
    RUNNING="The data is being removed. The deletion cannot be cancelled any more.",
    DONE="The data is removed.",
)


@strawberry.type(description="The deletion of an account.")
class AccountDeletion:
    state: DeletionState = strawberry.field(description="The progress of the deletion.")
    mode: DeletionMode = strawberry.field(description="The treatment of posts and comments.")
    due_at: datetime = strawberry.field(
        description="The time at which workers begin to remove the data. Until then, the deletion can be cancelled."
    )


_KEY = f"{IDEMPOTENCY_KEY} But the same key for the account of another user counts as a new key."
_WHOSE = "The id of the user. Requires a token with the scope `users:write`. Omit it for the viewer's own account."


@strawberry.input(description="The input of `deleteUser`.")
class DeleteUserInput:
    user_id: strawberry.ID | None = strawberry.field(default=UNSET, description=_WHOSE)
    mode: DeletionMode = strawberry.field(description="The treatment of posts and comments.")
    grace_days: int | None = strawberry.field(
        default=UNSET,
        description="The number of days in which the deletion can be cancelled: 0 to 365. By default 30; the operator "
        "of this deployment can change the default.",
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=_KEY)


@strawberry.input(description="The input of `cancelDeletion`.")
class CancelDeletionInput:
    user_id: strawberry.ID | None = strawberry.field(default=UNSET, description=_WHOSE)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=_KEY)


@strawberry.type(description="The result of `deleteUser` and `cancelDeletion`.")
class DeletionPayload:
    subject: AccountDeletion | None = strawberry.field(
        name="deletion",
        description="The deletion of the account. Null after `cancelDeletion`, and if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Deletes an account: that of the viewer or, for a token with the scope `users:write`, that of a "
        "user of its issuer. At once, the account and its content are hidden from all other users, except moderators, "
        "and operations of the account fail with `ACCOUNT_DELETED`, except `viewer { deletion export }`, `deleteUser`, "
        "`cancelDeletion` and `exportUser`. When the deletion is due, the data is removed. A second request replaces "
        "the first one. User errors: `TARGET_NOT_FOUND`, `IDEMPOTENCY_MISMATCH`, and `TARGET_DELETED` if the data is "
        "being removed already, unless `mode` is the same and `graceDays` is 0.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def delete_user(self: Any, info: Info, input: DeleteUserInput) -> DeletionPayload | None:
        whose, days = given(input.user_id), given(input.grace_days)
        return await payload(commands.delete(info.context, whose, input.mode, days, given(input.idempotency_key)))

    @strawberry.mutation(
        description="Cancels the deletion of an account: that of the viewer or, for a token with the scope "
        "`users:write`, that of a user of its issuer. The account and its content are visible again. Succeeds and "
        "changes nothing if the account is not being deleted. User errors: `TARGET_NOT_FOUND`, "
        "`IDEMPOTENCY_MISMATCH`, and `TARGET_DELETED` if the data is being removed already.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def cancel_deletion(self: Any, info: Info, input: CancelDeletionInput) -> DeletionPayload | None:
        return await payload(commands.cancel(info.context, given(input.user_id), given(input.idempotency_key)))
