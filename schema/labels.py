"""Labels: their types, the query `labels`, and the mutations that set labels and what viewers see of them."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.labels as resolve
from commands import labels as commands
from domain.labels import LabelVisibility
from schema.access import Rule, access
from schema.fields import Info, given
from schema.grounds import GROUND
from schema.interfaces import Node
from schema.label_types import Label
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.viewer import Viewer


@strawberry.input(description="The input of `setLabels`.")
class SetLabelsInput:
    target_id: strawberry.ID = strawberry.field(description="The id of the post, comment or entity.")
    labels: list[str] = strawberry.field(
        description="The names of the labels. They replace all labels that moderators, the rules and the external "
        "reviewer have set on the target. An empty list removes all of these. Labels that the author or a service has "
        "set stay."
    )
    reason: str = strawberry.field(
        description="The reason, 1 to 500 characters. The author or owner is notified of it, and it is in the "
        "moderation log."
    )
    ground: str | None = strawberry.field(default=UNSET, description=GROUND)
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setLabels`.")
class SetLabelsPayload:
    subject: Node | None = strawberry.field(
        name="target", description="The post, comment or entity with its new labels. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.input(description="What the viewer (the signed-in user) wants to see of content with a label.")
class LabelPreferenceInput:
    label: str = strawberry.field(description="The name of the label.")
    visibility: LabelVisibility | None = strawberry.field(
        default=UNSET,
        description="What the viewer wants to see. Omit it, or send null, to return to the default of the viewer's age "
        "band.",
    )


@strawberry.input(description="The input of `setLabelPreferences`.")
class SetLabelPreferencesInput:
    preferences: list[LabelPreferenceInput] = strawberry.field(
        description="The labels to change, each at most once. Other labels stay as they are."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `setLabelPreferences`.")
class SetLabelPreferencesPayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The labels that the operator of this deployment has configured, in a fixed order.",
        metadata=access(Rule.ALL),
    )
    def labels(self: Any, info: Info) -> list[Label]:
        return resolve.configured(info.context)  # type: ignore[return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Sets the labels of moderators on a post, comment or entity. The author or owner is notified, and "
        "cannot remove these labels. The change is recorded in the moderation log. Requires the role `MODERATOR` or "
        "higher. User errors: `TARGET_NOT_FOUND`, also for a removed entity, `TARGET_DELETED` if the comment is "
        "deleted, `NOT_ALLOWED` for the viewer's own content, `INVALID` for an unknown label or ground and if the "
        "reason is empty, `TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="moderation"),
    )
    async def set_labels(self: Any, info: Info, input: SetLabelsInput) -> SetLabelsPayload | None:
        key = given(input.idempotency_key)
        return await payload(
            commands.set_labels(info.context, input.target_id, input.labels, input.reason, key, given(input.ground))
        )

    @strawberry.mutation(
        description="Sets what the viewer (the signed-in user) sees of content with some labels. Setting the same "
        "values again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`INVALID` for an unknown label and for a label that is listed twice, `NOT_ALLOWED` for a label whose "
        "visibility the viewer's age band fixes, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="profiles"),
    )
    async def set_label_preferences(
        self: Any, info: Info, input: SetLabelPreferencesInput
    ) -> SetLabelPreferencesPayload | None:
        wanted = [(one.label, given(one.visibility)) for one in input.preferences]
        return await payload(resolve.set_preferences(info.context, wanted, given(input.idempotency_key)))
