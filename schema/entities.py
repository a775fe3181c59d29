"""External things: videos, articles, whatever a business registers."""

from operator import attrgetter
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.entities as resolve
from commands.entities import EntityWish, OwnerRef
from domain.errors import BadInput
from models.entities import EntityRow
from schema.fields import Info, batched, given, row_type
from schema.interfaces import Commentable, Reactable
from schema.payloads import UserError, user_errors
from schema.users import User


@strawberry.type(description="An external thing: a video, an article …")
class Entity(Reactable, Commentable):
    is_type_of = row_type(EntityRow)

    business: str = strawberry.field(description="The line of content it belongs to.")
    key: str = strawberry.field(description="The owner system's own id.")
    title: str | None = strawberry.field(description="What it is called.")
    url: str | None = strawberry.field(description="Where it is.")
    owner: User | None = batched(
        lambda loaders: loaders.users, key=attrgetter("owner_id"), description="Whose it is; null when nobody's."
    )


@strawberry.input(description="A user, by exactly one of the two.")
class UserRef:
    id: strawberry.ID | None = strawberry.field(default=UNSET, description="Their id here.")
    external_id: str | None = strawberry.field(default=UNSET, description="The identity provider's subject.")

    def checked(self) -> OwnerRef:
        """As the commands want it. Raises BadInput for both or neither."""
        ref = OwnerRef(given(self.id), given(self.external_id))
        if (ref.id is None) == (ref.external_id is None):
            raise BadInput("Name the user by id or by externalId.")
        return ref


@strawberry.input(
    description="An entity as its owner system describes it. Absent fields stay as they are; null clears."
)
class EntityInput:
    business: str = strawberry.field(description="The line of content it belongs to.")
    key: str = strawberry.field(description="1 to 64 of A-Z a-z 0-9 . _ ~ -")
    owner: UserRef | None = strawberry.field(default=UNSET, description="Whose it is.")
    title: str | None = strawberry.field(default=UNSET, description="At most 500 characters.")
    url: str | None = strawberry.field(default=UNSET, description="An http or https address.")
    comments_closed: bool | None = strawberry.field(default=UNSET, description="Whether new comments are refused.")

    def wish(self) -> EntityWish:
        """As the commands want it."""
        return EntityWish(
            business=self.business,
            key=self.key,
            sets_owner=self.owner is not UNSET,
            owner=self.owner.checked() if self.owner else None,
            sets_title=self.title is not UNSET,
            title=given(self.title),
            sets_url=self.url is not UNSET,
            url=given(self.url),
            comments_closed=given(self.comments_closed),
        )


@strawberry.type(description="The outcome of registering entities.")
class RegisterEntitiesPayload:
    subject: list[Entity] | None = strawberry.field(name="entities", description="In the order they were named.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class EntityQuery:
    @strawberry.field(description="One external entity; null when it is not registered.")
    async def entity(self: Any, info: Info, business: str, key: str) -> Entity | None:
        return (await resolve.by_keys(info.context, business, [key]))[0]  # type: ignore[return-value]

    @strawberry.field(description="Up to 100 external entities, in order; null for each that is not registered.")
    async def entities(self: Any, info: Info, business: str, keys: list[str]) -> list[Entity | None] | None:
        return await resolve.by_keys(info.context, business, keys)  # type: ignore[return-value]


@strawberry.type
class EntityMutation:
    @strawberry.mutation(description="Makes new entities, changes known ones; all or none. Scope entities:write.")
    async def register_entities(self: Any, info: Info, entities: list[EntityInput]) -> RegisterEntitiesPayload | None:
        return await resolve.register(info.context, [one.wish() for one in entities])  # type: ignore[return-value]
