"""The fields of Reactable about likes and dislikes."""

import strawberry

import resolvers.likes as resolve
from models.likes import REACT, counts_as
from resolvers.pages import check_first
from schema import forward
from schema.access import Rule, access
from schema.fields import PAGE, REACTIONS_REF, First, batched, counted, listed
from schema.scalars import Count, Reaction

_REACTIONS = None, Reaction.LIKE, Reaction.DISLIKE, None


@strawberry.type
class Fields:
    like_count: Count | None = counted(
        "likes",
        "The number of users who like this object: who have given it a kind of reaction that counts as a like. Null on "
        "a deleted comment, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        REACTIONS_REF,
    )
    dislike_count: Count | None = counted(
        "dislikes",
        "The number of users who dislike this object. Null on a deleted comment, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
        REACTIONS_REF,
    )
    viewer_reaction: Reaction | None = batched(
        lambda context: context.own.states(REACT),
        key=REACTIONS_REF,
        value=lambda state: _REACTIONS[counts_as(state)] if state else None,
        description="What the reactions of the viewer (the signed-in user) to this object count as. `viewerReactions` "
        "has their kinds. Null if the viewer has not reacted, or only with kinds that do not count as a like, if no "
        "user is signed in, and on a deleted comment. If `extensions.degraded` lists this field, null means that the "
        "reaction is unknown: try again later or, if the reason given there is `NOT_LOOKED_UP`, read this object alone "
        "with `Query.node`. Null with the error `FORBIDDEN` if the token is restricted to other kinds of content.",
        metadata=access(Rule.TARGET, personal=True),
    )
    liked_by_followed: list[forward.User] | None = batched(
        lambda context: context.content.liked_by_followed,
        key=lambda row, first: (ref := row.reactions_ref) and (ref, check_first(first)),
        description="The users who like this object and are followed by the viewer (the signed-in user), newest like "
        "first. Only the newest likes of the object are searched, at most 200, so followed users with older likes are "
        "missing. Null if no user is signed in, on a deleted comment, or if the value is temporarily unavailable "
        "(then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
        first=(First, 3),
    )
    likers: forward.UserConnection | None = listed(
        resolve.likers,
        description="The users who like this object, newest like first. These are the users in `likeCount`. Null on a "
        "deleted comment, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        **PAGE,
    )
