"""Things people react to, and the four ways to."""

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.likes as resolve
from models.counters import EntityRef
from resolvers.pages import check_first
from schema.batched import PAGE, Info, batched, given, listed
from schema.nodes import Node
from schema.payloads import UserError, user_errors
from schema.scalars import Count, Reaction
from store.reactions.likes import Verb

if TYPE_CHECKING:
    from schema.pages import UserConnection
    from schema.users import User


_REF = attrgetter("ref")
_COUNTS = attrgetter("counts")
"""All counters of a level share these, and so one lookup."""


def counted(counter: str, description: str, key: Callable[[Any], EntityRef | None] = _REF) -> Any:
    """A field of one of an entity's counters, as the viewer must see it."""
    return batched(_COUNTS, key=key, value=attrgetter(counter), description=description)


@strawberry.interface(
    description="Something people like and dislike. Of a deleted comment, all fields about reactions are null."
)
class Reactable(Node):
    like_count: Count | None = counted("likes", "How many users like it.", resolve.reacted)
    dislike_count: Count | None = counted("dislikes", "How many users dislike it.", resolve.reacted)
    viewer_reaction: Reaction | None = batched(
        lambda loaders: loaders.reactions,
        key=resolve.reacted,
        value=lambda reaction: Reaction(reaction) if reaction else None,
        description="The viewer's own reaction; null for none, or when nobody is signed in.",
        personal=True,
    )

    liked_by_followed: list[Annotated["User", strawberry.lazy("schema.users")]] | None = batched(
        lambda loaders: loaders.liked_by_followed,
        key=lambda row, first: (ref := resolve.reacted(row)) and (ref, check_first(first)),
        description="Among its newest likers those whom the viewer follows; null when nobody is signed in.",
        personal=True,
        first=(int, 3),
    )

    likers: Annotated["UserConnection", strawberry.lazy("schema.pages")] | None = listed(
        resolve.likers, description="Who likes it, newest first.", **PAGE
    )


@strawberry.input(description="What to react to.")
class ReactInput:
    target_id: strawberry.ID = strawberry.field(description="The id of something reactable.")
    source: str | None = strawberry.field(default=UNSET, description="Where in your app it happened; for your logs.")
    idempotency_key: str | None = strawberry.field(
        default=UNSET, description="Makes repeating safe for a day; one per intended change, at most 128 characters."
    )


@strawberry.type(description="The outcome of a reaction.")
class ReactPayload:
    subject: Reactable | None = strawberry.field(name="target", description="What was reacted to, as it is now.")
    user_errors: list[UserError] = user_errors()


async def _react(info: Info, verb: Verb, input: ReactInput) -> Any:
    return await resolve.react(info.context, verb, input.target_id, given(input.source), given(input.idempotency_key))


@strawberry.type
class LikeMutation:
    @strawberry.mutation(description="Likes something; a dislike is taken back. Liking twice changes nothing.")
    async def like(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.LIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(description="Takes a like back.")
    async def unlike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNLIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(description="Dislikes something, where its business has dislikes; a like is taken back.")
    async def dislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.DISLIKE, input)  # type: ignore[no-any-return]

    @strawberry.mutation(description="Takes a dislike back.")
    async def undislike(self, info: Info, input: ReactInput) -> ReactPayload | None:
        return await _react(info, Verb.UNDISLIKE, input)  # type: ignore[no-any-return]
