"""Defines the kinds of records that only an export of one person has, one class for each kind. `make docs` writes their
JSON Schemas to docs/schemas.

An export of one person names users by ids such as `User:7`, not by external ids: the person may not know the external
ids of other users.
"""

from typing import Annotated, Literal

from pydantic import Field

from archive.fields import IssuedUser, Json, Target, Time, UserRef
from archive.records import Record

Ip = Annotated[str | None, Field(description="The network address.")]
Device = Annotated[str | None, Field(description="The device id that the app sent.")]
Client = Annotated[str | None, Field(description="The kind of client that the app sent, or the service that acted.")]


class UserTarget(Json):
    """A reference to a user."""

    user: UserRef


AnyTarget = Target | UserTarget


class Account(Json):
    """The person, and the settings of the account. The first record of the export."""

    kind: Literal["account"]
    user: Annotated[UserRef, Field(description="How the other records name the person, such as `User:7`.")]
    identities: Annotated[
        tuple[IssuedUser, ...], Field(description="The identities with which the person signs in.")
    ] = ()
    unwanted_notifications: Annotated[
        tuple[str, ...], Field(description="The kinds of notifications that the person has switched off.")
    ] = ()
    notifications_only_of_followed: Annotated[
        tuple[str, ...],
        Field(description="The kinds of notifications that the person wants only about actions of followed users."),
    ] = ()
    quiet_hours: Annotated[
        str | None,
        Field(description="When the person wants no push messages, such as `22:00 to 07:00 Asia/Shanghai`."),
    ] = None
    topics_in_home: Annotated[
        bool, Field(description="Whether the home timeline shows posts of the topics that the person follows.")
    ] = False
    discoverable: Annotated[bool, Field(description="Whether searches find the person.")] = True


class Contact(Json):
    """The public names of a user whom the person follows, blocks or mutes."""

    kind: Literal["contact"]
    user: UserRef
    handle: str
    display_name: str


class PostNotifications(Json):
    """A user about whose new posts the person gets notifications."""

    kind: Literal["postNotifications"]
    author: UserRef
    created_at: Time


class MutedThread(Json):
    """A post, entity or root comment about which the person gets no notifications."""

    kind: Literal["mutedThread"]
    target: Target
    created_at: Time


class MutedReposts(Json):
    """A user whose reposts bring no posts into the person's home timeline."""

    kind: Literal["mutedReposts"]
    user: UserRef
    created_at: Time


class DismissedSuggestion(Json):
    """A user whom the person does not want to be suggested."""

    kind: Literal["dismissedSuggestion"]
    user: UserRef
    created_at: Time


class Notification(Json):
    """A notification of the person: how often something has happened, without the other users and their texts."""

    kind: Literal["notification"]
    event: Annotated[str, Field(description="What happened, such as `LIKE`.")]
    target: Annotated[AnyTarget | None, Field(description="Missing for a mention, which is in another's text.")] = None
    times: Annotated[int, Field(description="How many users caused it; 0 for decisions of moderation.")] = 0
    message: str | None = None
    read: bool = False
    created_at: Time
    updated_at: Time


class Report(Json):
    """A report that the person made."""

    kind: Literal["report"]
    target: AnyTarget
    reason: str
    note: str | None = None
    status: Annotated[str, Field(description="OPEN, ACCEPTED, DISMISSED, or MOOT if the target was deleted.")]
    network: Annotated[str | None, Field(description="The network address from which the report was sent.")] = None
    created_at: Time


class Appeal(Json):
    """An appeal of the person against the rejection of a post or comment."""

    kind: Literal["appeal"]
    target: AnyTarget
    text: str
    status: Annotated[str, Field(description="OPEN, GRANTED, DENIED, or MOOT if the content was changed or deleted.")]
    created_at: Time


class Decision(Json):
    """A decision of moderation about the person, or about a post or comment of the person."""

    kind: Literal["decision"]
    action: Annotated[str, Field(description="What was decided, such as `REJECTED`.")]
    role: Annotated[str, Field(description="Who decided: MODERATOR, OWNER, RULES, REVIEWER or SYSTEM.")]
    target: AnyTarget
    reason: Annotated[str | None, Field(description="The statement of reasons.")] = None
    mode: Annotated[str | None, Field(description="The mode of a suspension.")] = None
    until: Annotated[Time | None, Field(description="The end of a suspension.")] = None
    created_at: Time


class Activity(Json):
    """A change or view that Plaudit has logged, with the client that sent it."""

    kind: Literal["activity"]
    action: Annotated[
        str,
        Field(description="`post`, `comment`, `like`, `unlike`, `dislike`, `undislike`, `follow`, `unfollow`, `view`, "
        "`share`, or the name of a counter."),
    ]  # fmt: skip
    target: AnyTarget
    source: Annotated[str | None, Field(description="The part of the app from which the person reacted.")] = None
    ip: Ip = None
    device: Device = None
    client: Client = None
    created_at: Time


class End(Json):
    """The last record of the export. Without it, the export is not complete."""

    kind: Literal["end"]
    records: Annotated[int, Field(description="The number of records before this one.")]


PersonalRecord = (
    Account
    | Contact
    | PostNotifications
    | MutedThread
    | MutedReposts
    | DismissedSuggestion
    | Notification
    | Report
    | Appeal
    | Decision
    | Activity
    | End
)
PERSONAL_KINDS: dict[str, type[PersonalRecord]] = {
    "account": Account,
    "contact": Contact,
    "postNotifications": PostNotifications,
    "mutedThread": MutedThread,
    "mutedReposts": MutedReposts,
    "dismissedSuggestion": DismissedSuggestion,
    "notification": Notification,
    "report": Report,
    "appeal": Appeal,
    "decision": Decision,
    "activity": Activity,
    "end": End,
}
"""The class of each kind of record that only an export of one person has."""
AnyRecord = Record | PersonalRecord
