"""The mutations that follow and unfollow topics and entities, and the one that brings topics into home."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.content_follows as resolve
from commands import content_follows as commands
from schema.access import Rule, access
from schema.entities import Entity
from schema.fields import Info, given
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors
from schema.topics import Topic
from schema.viewer import Viewer


@strawberry.input(description="The input of `followTopic` and `unfollowTopic`.")
class FollowTopicInput:
    topic_id: strawberry.ID = strawberry.field(description="The id of the topic.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `followEntity` and `unfollowEntity`.")
class FollowEntityInput:
    entity_id: strawberry.ID = strawberry.field(description="The id of the entity.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.input(description="The input of `setTopicsInHome`.")
class SetTopicsInHomeInput:
    enabled: bool = strawberry.field(description="Whether the home timeline shows posts of followed topics.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `followTopic` and `unfollowTopic`.")
class FollowTopicPayload:
    subject: Topic | None = strawberry.field(
        name="topic",
        description="The topic after the change. Null if `userErrors` is not empty, or if the viewer unfollowed a "
        "topic that the viewer may not see.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `followEntity` and `unfollowEntity`.")
class FollowEntityPayload:
    subject: Entity | None = strawberry.field(
        name="entity",
        description="The entity after the change. Null if `userErrors` is not empty, or if the viewer unfollowed an "
        "entity that was removed.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `setTopicsInHome`.")
class SetTopicsInHomePayload:
    subject: Viewer | None = strawberry.field(
        name="viewer",
        description="The viewer (the signed-in user) after the change. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) follow a topic. New posts of the topic are then in "
        "`Viewer.followedTopicsFeed` and, if the viewer wants that (`setTopicsInHome`), in `Viewer.home`. Other users "
        "see only the number of followers. Following a topic again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `FOLLOW_LIMIT_REACHED`, "
        "`SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def follow_topic(self: Any, info: Info, input: FollowTopicInput) -> FollowTopicPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.follow_topic(info.context, input.topic_id, key, follows=True))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) unfollow a topic, even if the viewer may not see it any "
        "more. The posts of the topic leave the viewer's timelines at once. Succeeds and changes nothing if the viewer "
        "does not follow the topic. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TARGET_NOT_FOUND` for an id that is not of a topic, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def unfollow_topic(self: Any, info: Info, input: FollowTopicInput) -> FollowTopicPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.follow_topic(info.context, input.topic_id, key, follows=False))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) follow an entity. New posts that refer to it are then "
        "in `Viewer.followedTopicsFeed` and, if the viewer wants that (`setTopicsInHome`), in `Viewer.home`. Other "
        "users see only the number of followers. Following an entity again succeeds and changes nothing. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `FOLLOW_LIMIT_REACHED`, "
        "`BLOCKED`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def follow_entity(self: Any, info: Info, input: FollowEntityInput) -> FollowEntityPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.follow_entity(info.context, input.entity_id, key, follows=True))

    @strawberry.mutation(
        description="Makes the viewer (the signed-in user) unfollow an entity, even if it was removed. Succeeds and "
        "changes nothing if the viewer does not follow the entity. Fails with `UNAUTHENTICATED` if no user is signed "
        "in. User errors: `TARGET_NOT_FOUND` for an id that is not of a registered entity, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def unfollow_entity(self: Any, info: Info, input: FollowEntityInput) -> FollowEntityPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.follow_entity(info.context, input.entity_id, key, follows=False))

    @strawberry.mutation(
        description="Sets whether the viewer's home timeline shows posts of the topics, and about the entities, that "
        "the viewer follows. By default, it does not show them. Setting the same value again succeeds and changes "
        "nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="follows"),
    )
    async def set_topics_in_home(self: Any, info: Info, input: SetTopicsInHomeInput) -> SetTopicsInHomePayload | None:
        key = given(input.idempotency_key)
        return await payload(resolve.set_topics_in_home(info.context, input.enabled, key))
