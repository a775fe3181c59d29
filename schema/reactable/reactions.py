"""The fields of Reactable about reactions by kind."""

from inspect import Parameter
from typing import Annotated

import strawberry

import resolvers.reactions as resolve
from schema import forward
from schema.access import Rule, access
from schema.fields import PAGE, listed
from schema.scalars import Count

Kind = Annotated[
    str,
    strawberry.argument(
        description="The name of the kind of reaction, as `reactionKinds` has it. Fails with `BAD_INPUT` for "
        "`dislike`, and for an object without this kind; the message names the kinds."
    ),
]


@strawberry.type(description="The number of users who have given an object a kind of reaction.")
class ReactionCount:
    kind: str = strawberry.field(description="The name of the kind, such as `like`, `love` or an emoji.")
    count: Count = strawberry.field(description="The number of users.")


@strawberry.type(description="A kind of reaction that users can give an object.")
class ReactionKind:
    kind: str = strawberry.field(description="The name of the kind, such as `like`, `love` or an emoji.")
    is_like: bool = strawberry.field(
        description="Whether a reaction of this kind counts as a like: in `likeCount`, `likers`, `likesReceivedCount`, "
        "`User.likes`, ranking and leaderboards."
    )


@strawberry.type
class Fields:
    reaction_kinds: list[ReactionKind] = listed(
        resolve.offered,
        description="The kinds of reactions that users can give this object: `like`, `dislike` unless it is disabled, "
        "and those that the operator of this deployment has configured for this kind of content.",
    )
    reaction_counts: list[ReactionCount] | None = listed(
        resolve.counts,
        description="The number of users by kind of reaction, highest number first. Kinds that nobody has given are "
        "left out. Null on a deleted comment, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )
    viewer_reactions: list[str] | None = listed(
        resolve.viewers,
        description="The names of the kinds of reactions that the viewer (the signed-in user) has given to this "
        "object. Null if no user is signed in, and on a deleted comment. If `extensions.degraded` lists this field, "
        "null means that the value is unknown, as for `viewerReaction`. Null with the error `FORBIDDEN` if the token "
        "is restricted to other kinds of content.",
        metadata=access(Rule.TARGET, personal=True),
    )
    reactors: forward.UserConnection | None = listed(
        resolve.reactors,
        description="The users who have given this object a kind of reaction, newest change of their reactions first. "
        "Null on a deleted comment, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
        kind=(Kind, Parameter.empty),
        **PAGE,
    )
