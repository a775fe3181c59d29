"""The GraphQL schema: types, inputs and payloads. Mutations call commands, and fields call resolvers.

Resolvers return rows (models/). Each field of an output type reads an attribute of a row, or has a resolver. So the
classes of output types are never instantiated.

Every module of this package may define root fields, in the classes `QueryFields`, `MutationFields` and
`SubscriptionFields`. Every module of `schema/reactable/` and `schema/viewer/` may define fields of the types Reactable
and Viewer, in a class `Fields`. A field declares which tokens may use it, and a mutation which kind of write it counts
as (`schema/access.py`). So a new thing that users can do with objects, such as bookmarking, adds files here and changes
none.
"""

import strawberry
from strawberry.schema.config import StrawberryConfig

from dependencies.strawberry import Schema
from identity.permissions import Rule
from schema import access
from schema.parts import parts
from schema.planned import Executor, plans_of
from schema.prices import set_prices
from schema.scalars import SCALARS
from settings import WriteKind


@strawberry.type(
    description="The root of all queries. A field of `Query` that fails is null, `errors` says why, and the other "
    "fields keep their values. A value further down that is temporarily unavailable is null without an error, and "
    "`extensions.degraded` lists it. A request with a field that its token may not use is refused as a whole with "
    "`FORBIDDEN`."
)
class Query(*parts(__name__, "QueryFields")):  # type: ignore[misc]
    pass


@strawberry.type(
    description="The root of all mutations. If the caller can correct the input, the mutation changes nothing, and "
    "`userErrors` of the payload says why (`upsertUsers` refuses items one by one). In all other failures the payload "
    "is null, and `errors` has an error with `extensions.code`. A token that is restricted to some kinds of content "
    "gets `FORBIDDEN` for an object of another kind."
)
class Mutation(*parts(__name__, "MutationFields")):  # type: ignore[misc]
    pass


@strawberry.type(
    description="The root of all subscriptions. They run over WebSocket (`graphql-transport-ws`) or as "
    "server-sent events."
)
class Subscription(*parts(__name__, "SubscriptionFields")):  # type: ignore[misc]
    pass


schema = Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    config=StrawberryConfig(scalar_map=SCALARS),
    execution_context_class=Executor,
)
set_prices(schema.graphql_core)
Executor.plans = plans_of(schema)

RULES: dict[str, Rule] = access.declarations(schema.graphql_core, access.RULE)
"""Which tokens may use a field, for each field that declares it. The key is the schema coordinate, such as
`Query.viewer`.
"""
WRITES: dict[str, WriteKind] = access.declarations(schema.graphql_core, access.WRITE_KIND)
"""The kind of write that each mutation counts as in rate limits. The key is the schema coordinate, such as
`Mutation.like`.
"""
