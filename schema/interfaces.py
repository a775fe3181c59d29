"""The interfaces Node, Commentable and Followable."""

from inspect import Parameter
from typing import Annotated

import strawberry

import resolvers.comment_lists as resolve_lists
import resolvers.comment_policies as resolve_policies
import resolvers.comments as resolve_comments
import resolvers.content_follows as resolve_follows
import resolvers.pinned_comments as resolve_pinned
from models.comment_settings import CommentPolicy
from models.content_follows import CONTENT_FOLLOWERS
from resolvers.announced import of_content
from resolvers.comment_lists import CommentSort
from schema import forward
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import PAGE, REACTIONS_REF, batched, counted, listed
from schema.scalars import Count

describe_enum(
    CommentSort,
    "The order of a list of root comments (comments that are not replies).",
    HOT="Sorts by likes, dislikes, replies and age, best first. Ten times as many likes raise a comment as much as "
    "being a week newer. Dislikes lower it.",
    NEWEST="Sorts by the time when the comments were written, newest first.",
    OLDEST="Sorts by the time when the comments were written, oldest first.",
)


describe_enum(
    CommentPolicy,
    "Who may comment on a post or entity, besides its author or owner.",
    EVERYONE="Every user.",
    FOLLOWED="The users whom the author of the post or the owner of the entity follows.",
    MENTIONED="The users whom the text of the post mentions.",
    NOBODY="No other user.",
)


@strawberry.interface(description="An object that can be read by its id with `Query.node`.")
class Node:
    global_id: strawberry.ID = strawberry.field(
        name="id",
        description="The id of this object, unique among all objects of all types. It never changes. Pass it to "
        "`Query.node` and to mutations, and use it as a key in client caches.",
    )


@strawberry.interface(description="An object that users can follow, other than a user: a topic or an entity.")
class Followable(Node):
    follower_count: Count | None = counted(
        CONTENT_FOLLOWERS,
        "The number of users who follow this object. Null if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )
    viewer_follows: bool | None = listed(
        resolve_follows.follows,
        description="Whether the viewer (the signed-in user) follows this object. Null if no user is signed in, or if "
        "the value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )


@strawberry.interface(
    description="An object that users can comment on, view and share: a post, or an entity (an object of another "
    "system, such as a video)."
)
class Commentable(Node):
    view_count: Count | None = counted(
        "views",
        "The number of views of this object. Several views by one user or device within the same clock hour (UTC) "
        "count once. Null if the value is temporarily unavailable.",
        REACTIONS_REF,
    )
    share_count: Count | None = counted(
        "shares",
        "The number of shares of this object. Several shares by one user all count. Null if the value is temporarily "
        "unavailable.",
        REACTIONS_REF,
    )
    action_count: Count | None = batched(
        lambda context: context.own.action_counts,
        key=lambda row, action: (row.reactions_ref, action),
        description="The value of a counter that the operator of this deployment has defined for this kind of "
        "content, such as `plays`. Null if this kind of content has no counter with this name, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
        action=(
            Annotated[str, strawberry.argument(description="The name of the counter, such as `plays`.")],
            Parameter.empty,
        ),
    )
    comment_count: Count | None = counted(
        "comments",
        "The number of approved comments on this object, root comments and replies, without deleted ones. Null if the "
        "value is temporarily unavailable.",
        REACTIONS_REF,
    )
    root_comment_count: Count | None = counted(
        "root_comments",
        "The number of approved root comments on this object (comments that are not replies), without deleted ones. "
        "Null if the value is temporarily unavailable.",
        REACTIONS_REF,
    )
    comments_closed: bool = listed(
        of_content(resolve_comments.closed),
        description="Whether this object refuses new comments. Always true for a post that is not approved.",
    )
    comment_policy: CommentPolicy | None = listed(
        of_content(resolve_policies.policies),
        description="Who may comment on this object, as its author or owner chose. Null if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
    )
    viewer_can_comment: bool | None = listed(
        of_content(resolve_policies.viewer_can_comment),
        description="Whether the viewer (the signed-in user) may comment on this object. False if comments are closed, "
        "if `commentPolicy` does not permit the viewer, if a suspension forbids the viewer to write, or if there is a "
        "block between the viewer and the author or owner. Null if no user is signed in, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.COMMENT, personal=True),
    )
    pinned_comment: forward.Comment | None = listed(
        of_content(resolve_pinned.of_subjects),
        description="The comment that the author or owner of this object has pinned. Null if there is none, if it is "
        "not approved or was deleted since, if the viewer may not see it or mutes its author, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
    )
    comments: forward.CommentConnection | None = listed(
        of_content(resolve_lists.of_subjects),
        description="The approved root comments on this object (comments that are not replies). Replies are in "
        "`Comment.replies`. The list also has those of the viewer's newest 64 unapproved comments that are on this "
        "object, and tombstones of deleted comments that have replies (see `Comment.deleted`). A cursor in the "
        "order `HOT` expires about 20 minutes after its page was read, sometimes earlier. On `BAD_CURSOR`, start "
        "again without `after`. Null if the value is temporarily unavailable.",
        sort=(
            Annotated[
                CommentSort,
                strawberry.argument(description="The order of the comments. A cursor is valid for one order only."),
            ],
            CommentSort.HOT,
        ),
        **PAGE,
    )
