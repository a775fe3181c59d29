"""The GraphQL schema: types, inputs and payloads, thin and without logic. Resolvers answer with domain rows, which
these types read by attribute; no type here is ever instantiated.
"""

from collections.abc import Iterator
from typing import Any

import strawberry
from graphql import FieldNode, get_operation_ast
from strawberry.extensions import MaxTokensLimiter, ParserCache, SchemaExtension, ValidationCache
from strawberry.schema.config import StrawberryConfig

import resolvers.nodes as resolve
from errors import BadInput
from schema.batched import Info
from schema.entities import Entity, EntityMutation, EntityQuery
from schema.follows import FollowMutation
from schema.likes import LikeMutation
from schema.limits import LimitQuery
from schema.nodes import Node
from schema.planned import Executor, plans_of
from schema.records import RecordMutation
from schema.scalars import SCALARS
from schema.users import User, UserMutation, UserQuery, Viewer


@strawberry.type(description="Reads. Root fields are nullable, so that one failure never hides its neighbours.")
class Query(UserQuery, EntityQuery, LimitQuery):
    @strawberry.field(description="Anything by its id.")
    async def node(self, info: Info, id: strawberry.ID) -> Node | None:
        return (await resolve.by_ids(info.context, [id]))[0]  # type: ignore[return-value]

    @strawberry.field(description="Up to 100 things by their ids, in order.")
    async def nodes(self, info: Info, ids: list[strawberry.ID]) -> list[Node | None] | None:
        return await resolve.by_ids(info.context, ids)  # type: ignore[return-value]


@strawberry.type(description="Writes. What the caller can act on comes back in userErrors, and then nothing changed.")
class Mutation(LikeMutation, FollowMutation, RecordMutation, UserMutation, EntityMutation):
    pass


_MOST_TOKENS = 4000
"""What a document may hold; introspection, the longest that people send, has about 400."""


class NamesOperation(SchemaExtension):
    """Tells the context what is being executed, in words of which there are only so many: metrics need that."""

    def on_execute(self) -> Iterator[None]:
        """Runs once the document is known to be valid."""
        document = self.execution_context.graphql_document
        # Strawberry's own `operation_name` would run the first of several operations where none is named.
        asked_for = self.execution_context._provided_operation_name
        operation = get_operation_ast(document, asked_for) if document else None
        if operation is None:
            raise BadInput("operationName must say which of several operations to run.")
        first = next(iter(operation.selection_set.selections), None)
        if isinstance(first, FieldNode):
            self.execution_context.context.operation = first.name.value
        yield


class Schema(strawberry.Schema):
    """Errors are logged where they are masked, once."""

    def process_errors(self, errors: Any, execution_context: Any = None) -> None:
        """Strawberry would log every error, expected ones too."""


schema = Schema(
    query=Query,
    mutation=Mutation,
    types=[Entity, User, Viewer],
    config=StrawberryConfig(scalar_map=SCALARS),
    execution_context_class=Executor,
    extensions=[
        NamesOperation,
        lambda: MaxTokensLimiter(_MOST_TOKENS),
        lambda: ParserCache(200),
        lambda: ValidationCache(200),
    ],
)
Executor.plans = plans_of(schema)
