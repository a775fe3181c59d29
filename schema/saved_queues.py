"""Saved queues: filters of the moderation queue that a moderator keeps under a name."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import saved_queues as commands
from models.reports import CaseAssignment, CaseOrder, CaseStatus
from models.saved_queues import SavedQueue as SavedQueueRow
from resolvers.moderation_queue import CaseKind
from schema.access import Rule, access
from schema.fields import Info, given, row_type
from schema.moderation_queue import ModerationSource
from schema.payloads import UserError, payload, user_errors
from schema.viewer import Viewer


@strawberry.type(description="Filters of `moderationQueue` that the viewer (the signed-in user) has saved.")
class SavedQueue:
    is_type_of = row_type(SavedQueueRow)

    name: str = strawberry.field(description="The name, 1 to 60 characters.")

    @strawberry.field(description="The argument `status`.")
    def status(self: Any) -> CaseStatus:
        return CaseStatus[self.status]

    @strawberry.field(description="The argument `kind`. Null without one.")
    def kind(self: Any) -> CaseKind | None:
        return CaseKind[self.kind] if self.kind else None

    @strawberry.field(description="The argument `source`. Null without one.")
    def source(self: Any) -> ModerationSource | None:
        return ModerationSource[self.source] if self.source else None

    @strawberry.field(description="The argument `assignment`. Null without one.")
    def assignment(self: Any) -> CaseAssignment | None:
        return CaseAssignment[self.assignment] if self.assignment else None

    @strawberry.field(description="The argument `sort`.")
    def sort(self: Any) -> CaseOrder:
        return CaseOrder[self.sort]


@strawberry.input(description="The input of `saveQueue`. The filters are arguments of `moderationQueue`.")
class SaveQueueInput:
    name: str = strawberry.field(
        description="The name, 1 to 60 characters. Replaces an earlier saved queue with the same name."
    )
    replaces: str | None = strawberry.field(
        default=UNSET,
        description="The name of another saved queue, which is removed, to rename it. Ignored if there is none.",
    )
    status: CaseStatus = strawberry.field(default=CaseStatus.OPEN, description="The argument `status`.")
    kind: CaseKind | None = strawberry.field(default=UNSET, description="The argument `kind`.")
    source: ModerationSource | None = strawberry.field(default=UNSET, description="The argument `source`.")
    assignment: CaseAssignment | None = strawberry.field(default=UNSET, description="The argument `assignment`.")
    sort: CaseOrder = strawberry.field(default=CaseOrder.OLDEST, description="The argument `sort`.")


@strawberry.input(description="The input of `deleteSavedQueue`.")
class DeleteSavedQueueInput:
    name: str = strawberry.field(description="The name of the saved queue.")


@strawberry.type(description="The result of `saveQueue` and `deleteSavedQueue`.")
class SavedQueuesPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Saves filters of `moderationQueue` under a name, for the viewer (the signed-in user) alone. The "
        "viewer can save 20 queues. Saving the same values again succeeds and changes nothing. Requires the role "
        "`VIEWER` or higher and a token without restriction to businesses. User errors: `TEXT_EMPTY`, "
        "`TEXT_TOO_LONG` and `TEXT_INVALID` for the name, `INVALID` if `RESOLVED` is combined with `source`, "
        "`assignment` or `MOST_REPORTED`, `QUEUE_LIMIT_REACHED`.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def save_queue(self: Any, info: Info, input: SaveQueueInput) -> SavedQueuesPayload | None:
        kind, source, assignment = (
            one.name if one else None for one in (given(input.kind), given(input.source), given(input.assignment))
        )
        queue = SavedQueueRow(input.name, input.status.name, kind, source, assignment, input.sort.name)
        return await payload(commands.save(info.context, queue, given(input.replaces)))

    @strawberry.mutation(
        description="Deletes a saved queue of the viewer (the signed-in user). Succeeds and changes nothing if there "
        "is none with this name. Requires the role `VIEWER` or higher and a token without restriction to "
        "businesses.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def delete_saved_queue(self: Any, info: Info, input: DeleteSavedQueueInput) -> SavedQueuesPayload | None:
        return await payload(commands.delete(info.context, input.name))
