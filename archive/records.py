"""Defines the kinds of records in an archive, one class for each kind. `make docs` writes their JSON Schemas to
docs/schemas.

A record refers to a user by issuer and external id, to an entity by business and key, and to a post, comment or
collection by the `id` of its record. This id is any text that no other record of the kind has; in an export, it is the
global id of Plaudit, such as `Post:123`.
"""

from typing import Annotated, Literal

from pydantic import Field

from archive.fields import (
    ContentWarning,
    Custom,
    EntityTarget,
    ExternalId,
    Image,
    Json,
    Labels,
    ModeratorLabels,
    PostTarget,
    Subject,
    Target,
    Time,
    TopicTarget,
    UserRef,
)

Policy = Annotated[
    Literal["EVERYONE", "FOLLOWED", "MENTIONED", "NOBODY"],
    Field(description="Who may comment, besides the author or owner."),
]
Status = Annotated[
    Literal["APPROVED", "PENDING", "REJECTED"],
    Field(description="The moderation status. Only approved content is public; pending content waits for a moderator."),
]


class Suspension(Json):
    """A suspension that is in force."""

    mode: Literal["READ_ONLY", "HIDDEN", "SHADOW"]
    until: Annotated[Time | None, Field(description="The end; if it is missing, the suspension has none.")] = None
    reason: str = ""


class FormerHandle(Json):
    """A handle that the user gave up, and that is kept from other users for some time."""

    handle: str
    freed_at: Time


class User(Json):
    """A user with the profile."""

    kind: Literal["user"]
    external_id: Annotated[ExternalId, Field(description="The claim `sub` of the user's tokens.")]
    issuer: Annotated[
        ExternalId | None, Field(description="The claim `iss` of the user's tokens; by default that of the import.")
    ] = None
    handle: Annotated[
        str | None, Field(description="The unique name. If it is missing, it is made from the display name.")
    ] = None
    display_name: Annotated[str | None, Field(description="If it is missing, it is the handle.")] = None
    avatar_url: str | None = None
    bio: str = ""
    is_private: bool = False
    custom: Custom = None
    age_band: Annotated[str | None, Field(description="The age band that a service has stated.")] = None
    language: Annotated[
        str | None, Field(description="The language in which the user reads, as a tag of BCP 47 such as `zh-Hans`.")
    ] = None
    created_at: Annotated[Time | None, Field(description="If it is missing, it is the time of the import.")] = None
    suspension: Suspension | None = None
    former_handles: tuple[FormerHandle, ...] = ()


class Entity(Json):
    """An entity, such as a video, that users react to and comment on."""

    kind: Literal["entity"]
    business: Annotated[str, Field(description="The name of the business, as in the businesses file.")]
    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9._~-]{1,64}$")]
    owner: UserRef | None = None
    title: str | None = None
    url: str | None = None
    comments_closed: bool = False
    comment_policy: Policy = "EVERYONE"
    topics: Annotated[tuple[str, ...], Field(description="The names of the topics, as they are shown.")] = ()
    custom: Custom = None
    labels: Labels = ()
    moderator_labels: ModeratorLabels = ()
    removed: Annotated[bool, Field(description="Whether the business has removed the entity.")] = False


class Follow(Json):
    """A follow, or a request to follow a private user."""

    kind: Literal["follow"]
    follower: UserRef
    followee: UserRef
    state: Literal["FOLLOWS", "REQUESTED"] = "FOLLOWS"
    created_at: Time


class ContentFollow(Json):
    """A follow of a topic or an entity."""

    kind: Literal["contentFollow"]
    user: UserRef
    target: EntityTarget | TopicTarget
    created_at: Time


class Block(Json):
    """A block of one user by another."""

    kind: Literal["block"]
    user: UserRef
    blocked: UserRef
    created_at: Time


class Mute(Json):
    """A mute of one user by another."""

    kind: Literal["mute"]
    user: UserRef
    muted: UserRef
    created_at: Time
    until: Annotated[Time | None, Field(description="The end; if it is missing, the mute has none.")] = None


class Reaction(Json):
    """A user's reactions to a post, comment or entity."""

    kind: Literal["reaction"]
    user: UserRef
    target: Target
    reaction: Annotated[
        Literal["LIKE", "DISLIKE", "OTHER"],
        Field(description="What the reaction counts as. An import that has `kinds` ignores it."),
    ] = "LIKE"
    kinds: Annotated[
        list[int] | None,
        Field(
            description="The ids of the kinds of reactions, if others than the like (1) and the dislike (2) are among "
            "them. The businesses file of the importing deployment must define these kinds."
        ),
    ] = None
    created_at: Time


class Repost(Json):
    """A post that a user has reposted."""

    kind: Literal["repost"]
    user: UserRef
    target: PostTarget
    created_at: Time


class Collection(Json):
    """A named group of things that a user has saved."""

    kind: Literal["collection"]
    id: ExternalId
    user: UserRef
    name: str
    is_public: bool = False
    created_at: Time


class Save(Json):
    """A post, comment or entity that a user has saved."""

    kind: Literal["save"]
    user: UserRef
    target: Target
    collection: Annotated[
        ExternalId | None, Field(description="The `id` of a collection of this user; if it is missing, none.")
    ] = None
    created_at: Time


class Post(Json):
    """A post."""

    kind: Literal["post"]
    id: ExternalId
    author: UserRef
    text: str = ""
    images: tuple[Image, ...] = ()
    topics: Annotated[tuple[str, ...], Field(description="The names of the topics, as they are shown.")] = ()
    quote_of: Annotated[ExternalId | None, Field(description="The `id` of the post that this post quotes.")] = None
    detached: Annotated[
        bool, Field(description="Whether the author of the quoted post has detached this post from it.")
    ] = False
    custom: Custom = None
    content_warning: ContentWarning = None
    labels: Labels = ()
    moderator_labels: ModeratorLabels = ()
    entity: Annotated[EntityTarget | None, Field(description="The entity that the post refers to.")] = None
    announces: Annotated[
        bool, Field(description="Whether the post announces this entity, which has its reactions and comments.")
    ] = False
    created_at: Time
    edited_at: Time | None = None
    deleted_at: Annotated[Time | None, Field(description="When the post was deleted; readers do not see it.")] = None
    status: Status = "APPROVED"
    reason: Annotated[str | None, Field(description="Why the post waits or was rejected.")] = None
    pinned_at: Annotated[Time | None, Field(description="When the author pinned the post to the profile.")] = None
    comment_policy: Policy = "EVERYONE"


class Comment(Json):
    """A comment on a post or an entity, or a reply to another comment."""

    kind: Literal["comment"]
    id: ExternalId
    author: UserRef
    subject: Subject
    parent: Annotated[
        ExternalId | None, Field(description="The `id` of the comment that this one answers, on the same subject.")
    ] = None
    text: str = ""
    images: tuple[Image, ...] = ()
    custom: Custom = None
    content_warning: ContentWarning = None
    labels: Labels = ()
    moderator_labels: ModeratorLabels = ()
    created_at: Time
    edited_at: Time | None = None
    deleted_at: Annotated[
        Time | None, Field(description="When the comment was deleted. It keeps its place if it has public replies.")
    ] = None
    deleted_as: Annotated[
        Literal["author", "owner", "moderator"] | None, Field(description="The role of the user who deleted it.")
    ] = None
    status: Status = "APPROVED"
    reason: Annotated[str | None, Field(description="Why the comment waits or was rejected.")] = None
    pinned_at: Annotated[Time | None, Field(description="When the owner of the subject pinned the comment.")] = None


Record = User | Entity | Follow | ContentFollow | Reaction | Repost | Post | Comment | Collection | Save | Block | Mute
KINDS: dict[str, type[Record]] = {
    "user": User,
    "entity": Entity,
    "follow": Follow,
    "contentFollow": ContentFollow,
    "reaction": Reaction,
    "repost": Repost,
    "post": Post,
    "comment": Comment,
    "collection": Collection,
    "save": Save,
    "block": Block,
    "mute": Mute,
}
"""The class of each kind of record."""
