"""Entities: objects of other systems, such as videos and articles, that are registered in Plaudit."""

from operator import attrgetter
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.entities as resolve
from commands import entities as commands
from commands.entities import EntityData, OwnerRef
from domain.errors import BadInput
from models.entities import EntityRow
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.fields import Info, batched, given, row_type, set_or_cleared
from schema.interfaces import Commentable, Followable
from schema.payloads import UserError, payload, user_errors
from schema.reactable import Reactable
from schema.scalars import JSON
from schema.topics import Topic
from schema.users import User

_BUSINESS = (
    "The name of a business (a kind of content) that the operator of this deployment has configured, such as `video`. "
    "`post` and `comment` are not allowed here."
)


@strawberry.type(
    description="An object of another system that is registered here, such as a video or an article. Users can like, "
    "comment on, view and share it."
)
class Entity(Reactable, Commentable, Followable):
    is_type_of = row_type(EntityRow)

    business: str = strawberry.field(
        description="The name of the business (the kind of content) of this entity, such as `video`."
    )
    key: str = strawberry.field(
        description="The id of this entity in the system that it comes from. It is unique within the business."
    )
    title: str | None = strawberry.field(description="The title of this entity. Null if none is registered.")
    url: str | None = strawberry.field(description="The http or https URL of this entity. Null if none is registered.")
    custom: JSON | None = strawberry.field(
        description="Custom data of this entity, set with `registerEntities`. Null if there is none."
    )
    topics: list[Topic] = strawberry.field(
        description="The topics of this entity, under which the post that announces it is listed."
    )
    owner: User | None = batched(
        lambda context: context.content.users,
        key=attrgetter("owner_id"),
        description="The user who owns this entity. Null if no owner is registered, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
    )


@strawberry.type(description="An entity in a list of entities.")
class EntityEdge(Edge[Entity]):
    pass


@strawberry.type(description="A page of a list of entities.")
class EntityConnection(Connection[Entity, EntityEdge]):
    pass


@strawberry.input(
    description="A reference to a user. Set exactly one of the two fields, otherwise the request fails with "
    "`BAD_INPUT`."
)
class UserRef:
    id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The id of the user in this API, as in `User.id`."
    )
    external_id: str | None = strawberry.field(
        default=UNSET,
        description="The id of the user at the identity provider that issued the caller's token: the claim `sub` of "
        "the user's own tokens. 1 to 255 characters.",
    )

    def checked(self) -> OwnerRef:
        """Returns the reference in the form that the command registerEntities takes. Raises BadInput unless exactly one
        field is set.
        """
        ref = OwnerRef(given(self.id), given(self.external_id))
        if (ref.id is None) == (ref.external_id is None):
            raise BadInput("Set exactly one of id and externalId.")
        return ref


@strawberry.input(
    description="An entity to register, or a registered entity to change. In a registered entity, a field that you "
    "omit keeps its value, and null removes the value (in `commentsClosed`, null keeps it)."
)
class EntityInput:
    business: str = strawberry.field(
        description="The name of the business (the kind of content) of the entity, such as `video`. Fails with "
        "`BAD_INPUT` for a business that the operator of this deployment has not configured."
    )
    key: str = strawberry.field(
        description="The id of the entity in the system that it comes from: 1 to 64 of the characters `A-Z a-z 0-9 . "
        "_ ~ -`. Otherwise the request fails with `BAD_INPUT`."
    )
    owner: UserRef | None = strawberry.field(
        default=UNSET,
        description="The user who owns the entity, who is notified of its likes and comments and may delete its "
        "comments.",
    )
    title: str | None = strawberry.field(default=UNSET, description="The title of the entity, at most 500 characters.")
    url: str | None = strawberry.field(default=UNSET, description="The http or https URL of the entity.")
    comments_closed: bool | None = strawberry.field(
        default=UNSET,
        description="Whether the entity refuses new comments. If it is omitted or null, a registered entity keeps its "
        "value, and a new entity accepts comments.",
    )

    custom: JSON | None = strawberry.field(
        default=UNSET, description="Custom data of the entity, which all callers can read."
    )

    topics: list[str] | None = strawberry.field(
        default=UNSET,
        description="The topics of the entity, at most 10 by default, written as in `publishPost`. They replace all "
        "topics of the entity. The post that announces the entity gets them.",
    )

    labels: list[str] | None = strawberry.field(
        default=UNSET,
        description="The names of the labels of the entity. They replace the labels that a service has set before. "
        "Labels of moderators stay. The post that announces the entity gets the same labels. An unknown label is "
        "refused with `INVALID`.",
    )

    def data(self) -> EntityData:
        """Returns the entity in the form that the command registerEntities takes. Raises BadInput if `owner` does not
        have exactly one field set.
        """
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
            custom=set_or_cleared(self.custom),
            topics=None if self.topics is UNSET else self.topics or [],
            labels=None if self.labels is UNSET else self.labels or [],
        )


@strawberry.type(description="The result of `registerEntities`.")
class RegisterEntitiesPayload:
    subject: list[Entity] | None = strawberry.field(
        name="entities",
        description="The entities after the change, in the order of the input. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `removeEntities`.")
class RemoveEntitiesPayload:
    subject: list[strawberry.ID] | None = strawberry.field(
        name="removedIds",
        description="The ids of the input. None of them has an entity now. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `eraseEntities`.")
class EraseEntitiesPayload:
    subject: list[strawberry.ID] | None = strawberry.field(
        name="erasedIds",
        description="The ids of the input. None of them has an entity now. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The entity with this key in a business (a kind of content). Null if none is registered. Fails "
        "with `BAD_INPUT` for an unknown business or a malformed key, and with `UNAVAILABLE` if the entity is "
        "temporarily unavailable.",
        metadata=access(Rule.ALL),
    )
    async def entity(
        self: Any,
        info: Info,
        business: Annotated[str, strawberry.argument(description=_BUSINESS)],
        key: Annotated[
            str,
            strawberry.argument(
                description="The id of the entity in the system that it comes from: 1 to 64 of the characters `A-Z a-z "
                "0-9 . _ ~ -`."
            ),
        ],
    ) -> Entity | None:
        return (await resolve.by_keys(info.context, business, [key]))[0]  # type: ignore[return-value]

    @strawberry.field(
        description="The entities with these keys in a business (a kind of content), in the order of the keys. An "
        "item is null if no entity is registered with its key, or if it is temporarily unavailable (see "
        "`extensions.degraded`). Fails with `BAD_INPUT` for more than 100 keys, an unknown business or a malformed "
        "key. The whole list is null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def entities(
        self: Any,
        info: Info,
        business: Annotated[str, strawberry.argument(description=_BUSINESS)],
        keys: Annotated[
            list[str],
            strawberry.argument(
                description="The ids of at most 100 entities in the system that they come from: each 1 to 64 of the "
                "characters `A-Z a-z 0-9 . _ ~ -`."
            ),
        ],
    ) -> list[Entity | None] | None:
        return await resolve.by_keys(info.context, business, keys)  # type: ignore[return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Registers new entities, changes registered ones and restores removed ones: 1 to 100, either "
        "all or none. Requires a token with the scope `entities:write`. User errors: `TARGET_NOT_FOUND` for an "
        "unknown owner, `TARGET_DELETED` for an entity that is being erased, `TEXT_TOO_LONG`, `TEXT_INVALID`, "
        "`TOO_MANY_TOPICS`, `TOPIC_INVALID`, and `INVALID` for a malformed URL or an entity that is listed twice.",
        metadata=access(Rule.TARGET, writes="entities"),
    )
    async def register_entities(
        self: Any,
        info: Info,
        entities: Annotated[
            list[EntityInput],
            strawberry.argument(
                description="The entities to register or change: 1 to 100. Any other number fails with `BAD_INPUT`."
            ),
        ],
    ) -> RegisterEntitiesPayload | None:
        return await payload(commands.register(info.context, [one.data() for one in entities]))

    @strawberry.mutation(
        description="Removes 1 to 100 entities with their comments: queries do not find them any more, and mutations "
        "answer `TARGET_NOT_FOUND`. Reactions and comments stay stored. `registerEntities` restores a removed entity "
        "with all of them. Ids without an entity are accepted, so the request can be repeated. Requires a token with "
        "the scope `entities:write`.",
        metadata=access(Rule.TARGET, writes="entities"),
    )
    async def remove_entities(
        self: Any,
        info: Info,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(
                description="The ids of the entities to remove: 1 to 100. Fails with `BAD_INPUT` for any other number, "
                "for a malformed id, and for the id of another type."
            ),
        ],
    ) -> RemoveEntitiesPayload | None:
        return await payload(commands.remove(info.context, ids))

    @strawberry.mutation(
        description="Erases 1 to 100 entities, either all or none. At once, they are removed with their comments, as "
        "with `removeEntities`. Then workers delete the comments, reactions, saves, views, notifications and "
        "everything else that belongs to the entities or their comments. This cannot be undone. When nothing is left, "
        "the event `entity.erased` is sent, and `registerEntities` can make a new entity with the same id. The "
        "request can be repeated. Requires a token with the scope `entities:write`. User errors: `TARGET_NOT_FOUND` "
        "for an id that was never registered.",
        metadata=access(Rule.TARGET, writes="entities"),
    )
    async def erase_entities(
        self: Any,
        info: Info,
        ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(
                description="The ids of the entities to erase: 1 to 100. Fails with `BAD_INPUT` for any other number, "
                "for a malformed id, and for the id of another type."
            ),
        ],
    ) -> EraseEntitiesPayload | None:
        return await payload(commands.erase(info.context, ids))
