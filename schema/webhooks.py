"""Webhooks in the administration API: the list of `Query.admin`, and the mutations."""

from datetime import datetime
from enum import Enum
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.webhooks as resolve
from commands import webhooks as commands
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info, given, listed
from schema.payloads import UserError, payload, user_errors


class WebhookState(Enum):
    """Tells whether events are sent to a webhook."""

    ACTIVE = "active"
    PAUSED = "paused"
    LAPSED = "lapsed"


describe_enum(
    WebhookState,
    "Tells whether events are sent to a webhook.",
    ACTIVE="Events are sent.",
    PAUSED="An operator has paused the webhook, or sending has failed for too long. Events wait.",
    LAPSED="Events were removed before they could be sent. The remaining events wait.",
)


@strawberry.type(description="The events of a partition that a webhook has not got.")
class WebhookDelivery:
    partition: int = strawberry.field(description="The number of the partition.")
    pending_count: int = strawberry.field(
        description="The number of events that wait, at most 1000. Events that the webhook does not want count too."
    )
    oldest_pending_at: datetime | None = strawberry.field(
        description="The time of the oldest event that waits. Null without one."
    )
    failing_since: datetime | None = strawberry.field(
        description="Since when all attempts have failed. Null if the last attempt succeeded."
    )
    failure: str | None = strawberry.field(description="Why the last attempt failed. Null if it succeeded.")


@strawberry.type(description="Events of a partition that were removed before they were sent.")
class WebhookLoss:
    partition: int = strawberry.field(description="The number of the partition.")
    after: datetime = strawberry.field(description="The time of the last event that was sent.")
    through: datetime = strawberry.field(description="The time of the last event that was removed.")


@strawberry.type(description="A webhook: an address of yours to which outgoing events are sent.")
class Webhook:
    name: str = strawberry.field(description="The name.")
    url: str = strawberry.field(description="The URL, without a password.")
    kinds: list[str] = strawberry.field(description="The kinds of events that are sent. Empty for all.")
    businesses: list[str] = strawberry.field(description="The businesses whose events are sent. Empty for all.")

    @strawberry.field(description="Whether events are sent.")
    def state(self: Any) -> WebhookState:
        return WebhookState[self.state.name]

    reason: str | None = strawberry.field(description="Why events are not sent. Null without a reason.")
    failing_since: datetime | None = strawberry.field(
        description="Since when all attempts have failed, in the partition that has failed for the longest time. Null "
        "without failures."
    )
    waiting_since: datetime | None = strawberry.field(
        description="The time of the oldest event that waits. Null if none waits."
    )
    deliveries: list[WebhookDelivery] | None = listed(
        resolve.deliveries,
        description="The partitions in which events wait or attempts fail. Null if the value is temporarily "
        "unavailable.",
    )

    @strawberry.field(description="The events that were removed before they were sent, until the webhook is told.")
    def lost(self: Any) -> list[WebhookLoss]:
        return resolve.lost(self)  # type: ignore[return-value]


@strawberry.type
class WebhookFields:
    @strawberry.field(
        description="All webhooks, by name. Redis streams are not listed. Null if the value is temporarily unavailable."
    )
    async def webhooks(self: Any, info: Info) -> list[Webhook] | None:
        return await resolve.every(info.context)  # type: ignore[return-value]


@strawberry.input(description="The input of `createWebhook`.")
class CreateWebhookInput:
    name: str = strawberry.field(description="The name: 1 to 40 lower-case letters, digits and hyphens.")
    url: str = strawberry.field(
        description="The https URL, at most 2000 characters, without user name, password and fragment."
    )
    kinds: list[str] | None = strawberry.field(
        default=UNSET, description="The kinds of events to send, such as `post.created`. All if you omit it."
    )
    businesses: list[str] | None = strawberry.field(
        default=UNSET,
        description="The businesses (kinds of content) whose events to send, or `user` or `topic`. All if you omit it.",
    )


@strawberry.input(description="The input of `deleteWebhook`.")
class DeleteWebhookInput:
    name: str = strawberry.field(description="The name of the webhook.")


@strawberry.input(description="The input of `rotateWebhookSecret`.")
class RotateWebhookSecretInput:
    name: str = strawberry.field(description="The name of the webhook.")


@strawberry.input(description="The input of `retryWebhook`.")
class RetryWebhookInput:
    name: str = strawberry.field(description="The name of the webhook.")


@strawberry.type(description="The result of `createWebhook` and `rotateWebhookSecret`.")
class WebhookSecretPayload:
    @strawberry.field(description="The webhook after the change. Null if `userErrors` is not empty.")
    def webhook(self: Any) -> Webhook | None:
        return self.subject.webhook if self.subject else None

    @strawberry.field(
        description="The new secret that signs the requests. No other field shows it, so store it now. Null if "
        "`userErrors` is not empty."
    )
    def secret(self: Any) -> str | None:
        return self.subject.secret if self.subject else None

    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `deleteWebhook`.")
class DeleteWebhookPayload:
    subject: str | None = strawberry.field(
        name="name", description="The name of the deleted webhook. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `retryWebhook`.")
class RetryWebhookPayload:
    subject: Webhook | None = strawberry.field(
        name="webhook", description="The webhook after the change. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


_RULES = " Requires a token with the scope `admin`, without restriction to businesses."


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Creates a webhook, to which events are sent from now on. User errors: `INVALID` for an invalid "
        "value, for a name that is in use, and if there are 100 webhooks already." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def create_webhook(self: Any, info: Info, input: CreateWebhookInput) -> WebhookSecretPayload | None:
        wanted = given(input.kinds) or [], given(input.businesses) or []
        return await payload(commands.create(info.context, input.name, input.url, *wanted))

    @strawberry.mutation(
        description="Deletes a webhook, and forgets which events it has got. User errors: `TARGET_NOT_FOUND`." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def delete_webhook(self: Any, info: Info, input: DeleteWebhookInput) -> DeleteWebhookPayload | None:
        return await payload(commands.delete(info.context, input.name))

    @strawberry.mutation(
        description="Gives a webhook a new secret. Requests are signed with the new and the previous secret, until the "
        "next rotation. User errors: `TARGET_NOT_FOUND`." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def rotate_webhook_secret(
        self: Any, info: Info, input: RotateWebhookSecretInput
    ) -> WebhookSecretPayload | None:
        return await payload(commands.rotate_secret(info.context, input.name))

    @strawberry.mutation(
        description="Makes workers send the waiting events of a webhook again at once, also if the webhook is paused "
        "or has lost events. User errors: `TARGET_NOT_FOUND`." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def retry_webhook(self: Any, info: Info, input: RetryWebhookInput) -> RetryWebhookPayload | None:
        return await payload(commands.retry(info.context, input.name))
