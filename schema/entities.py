"""Entities: objects of other systems, such as videos and articles, that are registered here."""

from operator import attrgetter
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.entities as resolve
from commands.entities import EntityData, OwnerRef
from domain.errors import BadInput
from models.entities import EntityRow
from schema.fields import Info, batched, given, row_type
from schema.interfaces import Commentable, Reactable
from schema.payloads import UserError, user_errors
from schema.users import User

_BUSINESS = "The kind of content, called a business, such as `video`. `post` and `comment` are not allowed here."


@strawberry.type(
    description="An object of another system that is registered here, such as a video or an article. Users can "
    "like it, comment on it, view it and share it."
)
class Entity(Reactable, Commentable):
    is_type_of = row_type(EntityRow)

    business: str = strawberry.field(
        description="The name of the business (the kind of content) that this entity belongs to, such as `video`."
    )
    key: str = strawberry.field(description="The id of this entity in its own system.")
    title: str | None = strawberry.field(description="The title of this entity. Null if it was registered without one.")
    url: str | None = strawberry.field(
        description="The http or https URL of this entity. Null if it was registered without one."
    )
    owner: User | None = batched(
        lambda loaders: loaders.users,
        key=attrgetter("owner_id"),
        description="The user who owns this entity. Null if it was registered without an owner, or if the user is "
        "temporarily unavailable.",
    )


@strawberry.input(
    description="A reference to a user. Set exactly one of the two fields, otherwise the request fails with "
    "`BAD_INPUT`."
)
class UserRef:
    id: strawberry.ID | None = strawberry.field(default=UNSET, description="The id of the user in this API.")
    external_id: str | None = strawberry.field(
        default=UNSET, description="The subject of the user (the claim `sub`) at the caller's own identity provider."
    )

    def checked(self) -> OwnerRef:
        """Returns the reference for the command. Raises BadInput unless exactly one field is set."""
        ref = OwnerRef(given(self.id), given(self.external_id))
        if (ref.id is None) == (ref.external_id is None):
            raise BadInput("Set exactly one of id and externalId.")
        return ref


@strawberry.input(
    description="An entity to register. For an entity that exists already, an omitted field keeps its value, and "
    "null clears it."
)
class EntityInput:
    business: str = strawberry.field(
        description="The name of the business that the entity belongs to. Fails with `BAD_INPUT` for a name that is "
        "not configured."
    )
    key: str = strawberry.field(
        description="The id of the entity in its own system: 1 to 64 of the characters `A-Z a-z 0-9 . _ ~ -`."
    )
    owner: UserRef | None = strawberry.field(default=UNSET, description="The user who owns the entity.")
    title: str | None = strawberry.field(default=UNSET, description="The title of the entity. At most 500 characters.")
    url: str | None = strawberry.field(default=UNSET, description="The http or https URL of the entity.")
    comments_closed: bool | None = strawberry.field(
        default=UNSET,
        description="Whether the entity refuses new comments. Null keeps the value. Defaults to false for a new "
        "entity.",
    )

    def data(self) -> EntityData:
        """Returns the entity for the command. Raises BadInput for an owner that is not exactly one user."""
        return EntityData(
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


@strawberry.type(description="The result of `registerEntities`.")
class RegisterEntitiesPayload:
    subject: list[Entity] | None = strawberry.field(
        name="entities",
        description="The registered entities, in the order of the input. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class EntityQuery:
    @strawberry.field(
        description="The entity with this business and key. Null if it is not registered. Fails with `BAD_INPUT` for "
        "an unknown business or a malformed key."
    )
    async def entity(
        self: Any,
        info: Info,
        business: Annotated[str, strawberry.argument(description=_BUSINESS)],
        key: Annotated[str, strawberry.argument(description="The id of the entity in its own system.")],
    ) -> Entity | None:
        return (await resolve.by_keys(info.context, business, [key]))[0]  # type: ignore[return-value]

    @strawberry.field(
        description="The entities of a business with these keys, in the order of the keys. An item is null if no "
        "entity is registered under its key. Fails with `BAD_INPUT` for more than 100 keys, an unknown "
        "business or a malformed key."
    )
    async def entities(
        self: Any,
        info: Info,
        business: Annotated[str, strawberry.argument(description=_BUSINESS)],
        keys: Annotated[
            list[str], strawberry.argument(description="The ids of at most 100 entities in their own system.")
        ],
    ) -> list[Entity | None] | None:
        return await resolve.by_keys(info.context, business, keys)  # type: ignore[return-value]


@strawberry.type
class EntityMutation:
    @strawberry.mutation(
        description="Creates new entities and updates existing ones: 1 to 100, either all or none. Requires the scope "
        "`entities:write`. User errors: `TARGET_NOT_FOUND` for an unknown owner, `TEXT_TOO_LONG`, "
        "`TEXT_INVALID`, and `INVALID` for a bad URL or an entity that is listed twice."
    )
    async def register_entities(
        self: Any,
        info: Info,
        entities: Annotated[list[EntityInput], strawberry.argument(description="The entities to register: 1 to 100.")],
    ) -> RegisterEntitiesPayload | None:
        return await resolve.register(info.context, [one.data() for one in entities])  # type: ignore[return-value]
