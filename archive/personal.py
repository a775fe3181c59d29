"""Defines the kinds of records that only an export of one person has, one class for each kind. `make docs` writes their
JSON Schemas to docs/schemas.

An export of one person names users by ids such as `User:7`, not by external ids: the person may not know the external
ids of other users.
"""

from typing import Annotated, Literal

from pydantic import Field

from archive.fields import Image, IssuedUser, Json, Target, Time, UserRef
from archive.records import Record

Ip = Annotated[str | None, Field(description="The network address.")]
Device = Annotated[str | None, Field(description="The device id that the app sent.")]
Client = Annotated[str | None, Field(description="The kind of client that the app sent, or the service that acted.")]


class UserTarget(Json):
    """A reference to a user."""

    user: UserRef


class CollectionTarget(Json):
    """A reference to a collection."""

    collection: Annotated[str, Field(description="The id of the collection, such as `Collection:7.456`.")]


AnyTarget = Target | UserTarget | CollectionTarget


class LabelPreference(Json):
    """What the person has chosen to see of content with a label."""

    label: Annotated[str, Field(description="The name of the label.")]
    visibility: Literal["SHOW", "WARN", "HIDE"]


class SavedQueue(Json):
    """Filters of the moderation queue that the person has saved."""

    name: str
    filters: Annotated[dict[str, str], Field(description="The values of the filters, such as `status: OPEN`.")]


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
    label_preferences: Annotated[
        tuple[LabelPreference, ...], Field(description="What the person has chosen to see of content with labels.")
    ] = ()
    saved_queues: Annotated[
        tuple[SavedQueue, ...], Field(description="The queues that the person, a moderator, has saved.")
    ] = ()


class Contact(Json):
    """The public names of a user that the person follows, blocks or mutes."""

    kind: Literal["contact"]
    user: UserRef
    handle: str
    display_name: str


class PostNotifications(Json):
    """The person gets notifications about new posts of this user."""

    kind: Literal["postNotifications"]
    author: UserRef
    created_at: Time


class MutedThread(Json):
    """A post, entity or root comment that the person has muted, so that it causes no notifications."""

    kind: Literal["mutedThread"]
    target: Target
    created_at: Time


class MutedReposts(Json):
    """The home timeline of the person leaves out what this user reposts."""

    kind: Literal["mutedReposts"]
    user: UserRef
    created_at: Time


class DismissedSuggestion(Json):
    """A suggestion that the person has dismissed: this user is not suggested again."""

    kind: Literal["dismissedSuggestion"]
    user: UserRef
    created_at: Time


class HiddenPost(Json):
    """A post that the person has hidden from lists."""

    kind: Literal["hiddenPost"]
    target: Target
    less: Annotated[bool, Field(description="Whether the person wants to see less like the post.")] = False
    created_at: Time


class MutedWord(Json):
    """A word, phrase or topic that the person mutes."""

    kind: Literal["mutedWord"]
    text: str
    targets: Annotated[tuple[str, ...], Field(description="What is compared with the word: TEXT, TOPICS.")]
    whole_word: Annotated[bool, Field(description="Whether the word matches only whole words.")]
    except_followed: Annotated[bool, Field(description="Whether the word does not hide posts of followed users.")]
    until: Annotated[Time | None, Field(description="The end of the mute; missing if it has none.")] = None


class Notification(Json):
    """A notification of the person: how often something has happened, without the other users and their texts."""

    kind: Literal["notification"]
    event: Annotated[str, Field(description="What happened, such as `LIKE`.")]
    target: Annotated[
        AnyTarget | None, Field(description="Missing for a mention, which is in a text of another user.")
    ] = None
    times: Annotated[int, Field(description="How many users acted; 0 for decisions of moderation.")] = 0
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


class Edit(Json):
    """An earlier version of a post or comment of the person, which an edit has replaced."""

    kind: Literal["edit"]
    target: Target
    text: str
    images: tuple[Image, ...] = ()
    created_at: Annotated[Time, Field(description="When the person wrote this version.")]


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


class Statement(Json):
    """A statement of reasons for the person: a restriction of content or of the account, or a decided report."""

    kind: Literal["statement"]
    restriction: Annotated[str, Field(description="What was done, such as `REJECTED`.")]
    target: AnyTarget
    ground: Annotated[str, Field(description="The name of the law or the clause of the rules.")]
    facts: Annotated[str | None, Field(description="The reason of the decision.")] = None
    found_by: Annotated[str, Field(description="REPORTS, AUTOMATED, NOTICE or OWN_INITIATIVE.")]
    is_automated: Annotated[bool, Field(description="Whether no person has decided.")] = False
    until: Annotated[Time | None, Field(description="The end of a suspension.")] = None
    ended_at: Annotated[Time | None, Field(description="When the restriction was lifted or replaced.")] = None
    appeal: Annotated[str | None, Field(description="The text of the person's appeal.")] = None
    appeal_status: Annotated[str | None, Field(description="OPEN, GRANTED, DENIED or MOOT.")] = None
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
    | HiddenPost
    | MutedWord
    | Notification
    | Report
    | Appeal
    | Edit
    | Decision
    | Statement
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
    "hiddenPost": HiddenPost,
    "mutedWord": MutedWord,
    "notification": Notification,
    "report": Report,
    "appeal": Appeal,
    "edit": Edit,
    "decision": Decision,
    "statement": Statement,
    "activity": Activity,
    "end": End,
}
"""The class of each kind of record that only an export of one person has."""
AnyRecord = Record | PersonalRecord
