"""Persisted operations in the administration API: the lists of `Query.admin`, and the mutations."""

from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import strawberry
from graphql import GraphQLSchema
from strawberry import UNSET

import resolvers.operations as resolve
from commands.persisted import mutations as commands
from commands.persisted.mutations import OperationData
from commands.persisted.withdrawing import DEFAULT_MESSAGE
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import After, First, Info, given, listed
from schema.payloads import UserError, payload, user_errors
from schema.scalars import Count


class OperationKind(Enum):
    """The kind of a GraphQL operation."""

    QUERY = "query"
    MUTATION = "mutation"
    SUBSCRIPTION = "subscription"


describe_enum(
    OperationKind,
    "The kind of a GraphQL operation.",
    QUERY="A query.",
    MUTATION="A mutation.",
    SUBSCRIPTION="A subscription.",
)


def _core(info: Info) -> GraphQLSchema:
    schema: Any = info.schema
    core: GraphQLSchema = schema.graphql_core
    return core


def _kind(value: str | None) -> OperationKind | None:
    return OperationKind(value) if value else None


@strawberry.type(
    description="The result of checking an operation against the schema and the limits of this deployment, as for a "
    "request with a persisted operation."
)
class OperationCheck:
    @strawberry.field(description="The id of the operation.")
    def id(self: Any) -> strawberry.ID:
        return strawberry.ID(self.operation.id)

    name: str = strawberry.field(description="The name of the operation. Empty without one.")

    @strawberry.field(description="The kind of the operation. Null if the text is invalid.")
    def kind(self: Any) -> OperationKind | None:
        return _kind(self.kind)

    @strawberry.field(description="The name of the manifest, as the import stated it.")
    def source(self: Any) -> str:
        return str(self.operation.source)

    @strawberry.field(description="The cost in points with the cheapest variables. Null for an invalid operation.")
    def least_cost(self: Any) -> int | None:
        return self.min_cost

    @strawberry.field(
        description="The cost in points without variables: a page without a default size counts as the largest page. "
        "Null for an invalid operation."
    )
    def cost(self: Any) -> int | None:
        return self.default_cost

    @strawberry.field(description="Why the operation cannot run. Null if it can.")
    def problem(self: Any) -> str | None:
        return self.problem or None


@strawberry.type(description="How often clients have requested an operation.")
class OperationUse:
    @strawberry.field(description="The id of the operation.")
    def operation_id(self: Any) -> strawberry.ID:
        return strawberry.ID(self.id)

    @strawberry.field(description="The name of the operation. Empty if it was not imported, or has no name.")
    def operation_name(self: Any) -> str:
        return str(self.name)

    client: str = strawberry.field(
        description="The name of the client. `other` for clients for which nothing was imported, `none` for requests "
        "that state no client, empty for all clients together."
    )

    @strawberry.field(description="The version of the client, `other`, `none` or empty in the same way.")
    def client_version(self: Any) -> str:
        return str(self.version)

    @strawberry.field(description="The number of requests.")
    def request_count(self: Any) -> Count:
        return Count(self.requests)

    last_used_at: datetime | None = strawberry.field(description="The time of the last request. Null without one.")


@strawberry.type(description="A persisted operation: an imported one, or one of a configured manifest.")
class PersistedOperation:
    @strawberry.field(description="The id of the operation.")
    def id(self: Any) -> strawberry.ID:
        return strawberry.ID(self.listed.operation.id)

    @strawberry.field(description="The name of the manifest.")
    def source(self: Any) -> str:
        return str(self.listed.operation.source)

    @strawberry.field(description="The time of the import. Null for an operation of a configured manifest.")
    def imported_at(self: Any) -> datetime | None:
        return self.listed.imported_at

    @strawberry.field(
        description="The message for users if the operation is withdrawn, or if only withdrawn versions of clients "
        "use it. Null otherwise."
    )
    def withdrawn_message(self: Any) -> str | None:
        return self.listed.withdrawn

    check: OperationCheck | None = listed(
        resolve.checks,
        description="The result of checking the operation against the schema of this version. Null if the value is "
        "temporarily unavailable.",
    )
    use: OperationUse | None = listed(
        resolve.totals,
        description="How often all clients together have requested the operation. Null if the value is temporarily "
        "unavailable.",
    )


@strawberry.type(description="A persisted operation in a list.")
class PersistedOperationEdge(Edge[PersistedOperation]):
    pass


@strawberry.type(description="A page of a list of persisted operations.")
class PersistedOperationConnection(Connection[PersistedOperation, PersistedOperationEdge]):
    pass


@strawberry.type(description="The use of an operation in a list.")
class OperationUseEdge(Edge[OperationUse]):
    pass


@strawberry.type(description="A page of a list of uses of operations.")
class OperationUseConnection(Connection[OperationUse, OperationUseEdge]):
    pass


@strawberry.type(description="A version of a client for which operations were imported.")
class ClientVersion:
    client: str = strawberry.field(
        description="The name of the client, which it sends as `apollographql-client-name`. Empty for operations that "
        "were imported without a client."
    )
    version: str = strawberry.field(
        description="The version, which the client sends as `apollographql-client-version`. Empty without a client."
    )

    @strawberry.field(description="The number of operations that were imported for this version.")
    def operation_count(self: Any) -> int:
        return int(self.operations)

    @strawberry.field(description="The number of requests for persisted operations.")
    def request_count(self: Any) -> Count:
        return Count(self.requests)

    last_used_at: datetime | None = strawberry.field(description="The time of the last request. Null without one.")
    imported_at: datetime = strawberry.field(description="The time of the last import.")

    @strawberry.field(description="The message for users if the version is withdrawn. Null otherwise.")
    def withdrawn_message(self: Any) -> str | None:
        return self.withdrawn


@strawberry.type(description="A version of a client in a list.")
class ClientVersionEdge(Edge[ClientVersion]):
    pass


@strawberry.type(description="A page of a list of versions of clients.")
class ClientVersionConnection(Connection[ClientVersion, ClientVersionEdge]):
    pass


@strawberry.input(description="An operation to check or to import.")
class PersistedOperationInput:
    id: strawberry.ID = strawberry.field(
        description="The id: at most 200 of the characters `A-Z a-z 0-9 - . _ ~`, `sha256:` and the SHA-256 of the "
        "text, or a prefix of your own that begins with `x-`, a colon and a name."
    )
    text: str = strawberry.field(description="The text, with one operation: 1 to 100,000 characters.")
    name: str | None = strawberry.field(
        default=UNSET, description="The name that the text must have. Any name if you omit it."
    )
    kind: OperationKind | None = strawberry.field(
        default=UNSET, description="The kind that the text must have. Any kind if you omit it."
    )
    source: str = strawberry.field(
        default="", description="The name of the manifest, for operators: at most 200 characters."
    )

    def data(self) -> OperationData:
        """Returns the operation in the form that the commands take."""
        kind = given(self.kind)
        return OperationData(self.id, self.text, self.source, given(self.name), kind.value if kind else None)


_Operations = Annotated[
    list[PersistedOperationInput],
    strawberry.argument(description="The operations: 1 to 100, with 1,000,000 characters of text together."),
]


@strawberry.type
class OperationFields:
    @strawberry.field(
        description="The imported operations, oldest first, then those of the manifests that the operator has "
        "configured. Null if the value is temporarily unavailable."
    )
    async def operations(
        self: Any, info: Info, first: First = 20, after: After = UNSET
    ) -> PersistedOperationConnection | None:
        return await resolve.page(info.context, _core(info), first, given(after))  # type: ignore[return-value]

    @strawberry.field(
        description="Checks operations without importing them. Returns the results in the order of the argument. Fails "
        "with `BAD_INPUT` for no or too many operations, and for an invalid id, text or source."
    )
    async def operation_checks(self: Any, info: Info, operations: _Operations) -> list[OperationCheck] | None:
        data = [one.data() for one in operations]
        return await resolve.check(info.context, _core(info), data)  # type: ignore[return-value]

    @strawberry.field(
        description="How often each version of each client has requested each operation, by client, version and "
        "operation. Includes operations that were imported for a version and never requested. Null if the value is "
        "temporarily unavailable."
    )
    async def operation_uses(
        self: Any,
        info: Info,
        client: Annotated[str | None, strawberry.argument(description="Lists only this client.")] = UNSET,
        client_version: Annotated[str | None, strawberry.argument(description="Lists only this version.")] = UNSET,
        first: First = 20,
        after: After = UNSET,
    ) -> OperationUseConnection | None:
        names = given(client), given(client_version)
        return await resolve.uses(info.context, *names, first, given(after))  # type: ignore[return-value]

    @strawberry.field(
        description="The versions of clients for which operations were imported, by client, oldest import first. Null "
        "if the value is temporarily unavailable."
    )
    async def client_versions(
        self: Any, info: Info, first: First = 20, after: After = UNSET
    ) -> ClientVersionConnection | None:
        return await resolve.versions(info.context, first, given(after))  # type: ignore[return-value]


@strawberry.input(description="The input of `importOperations`.")
class ImportOperationsInput:
    operations: list[PersistedOperationInput] = strawberry.field(
        description="The operations: 1 to 100, with 1,000,000 characters of text together."
    )
    client: str | None = strawberry.field(
        default=UNSET,
        description="The name of the client that uses the operations: 1 to 100 ASCII characters, not `other` or "
        "`none`. Needs `clientVersions`.",
    )
    client_versions: list[str] | None = strawberry.field(
        default=UNSET, description="The versions of the client that use the operations: at most 100. Needs `client`."
    )


@strawberry.input(description="The input of `withdrawOperations`.")
class WithdrawOperationsInput:
    ids: list[strawberry.ID] = strawberry.field(description="The ids of the operations: 1 to 100.")
    message: str = strawberry.field(default=DEFAULT_MESSAGE, description="The message for users, 1 to 500 characters.")


@strawberry.input(description="The input of `restoreOperations`.")
class RestoreOperationsInput:
    ids: list[strawberry.ID] = strawberry.field(description="The ids of the operations: 1 to 100.")


@strawberry.input(description="The input of `withdrawClientVersions`.")
class WithdrawClientVersionsInput:
    client: str = strawberry.field(description="The name of the client.")
    client_versions: list[str] = strawberry.field(description="The versions: 1 to 100.")
    message: str = strawberry.field(default=DEFAULT_MESSAGE, description="The message for users, 1 to 500 characters.")


@strawberry.input(description="The input of `restoreClientVersions`.")
class RestoreClientVersionsInput:
    client: str = strawberry.field(description="The name of the client.")
    client_versions: list[str] = strawberry.field(description="The versions: 1 to 100.")


@strawberry.type(description="The result of `importOperations`.")
class ImportOperationsPayload:
    @strawberry.field(description="The number of operations that were imported now. Null if `userErrors` is not empty.")
    def new_count(self: Any) -> int | None:
        return self.subject.new_count if self.subject else None

    @strawberry.field(
        description="The number of operations that were imported before. Null if `userErrors` is not empty."
    )
    def known_count(self: Any) -> int | None:
        return self.subject.known_count if self.subject else None

    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `withdrawOperations` and `restoreOperations`.")
class OperationsPayload:
    subject: list[strawberry.ID] | None = strawberry.field(
        name="ids", description="The ids of the operations. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `withdrawClientVersions` and `restoreClientVersions`.")
class ClientVersionsPayload:
    subject: list[str] | None = strawberry.field(
        name="clientVersions", description="The versions. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


_RULES = " Requires a token with the scope `admin`, without restriction to businesses."


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Imports persisted operations: all or none. API processes serve them within 5 seconds. An id never "
        "gets another text, and importing an operation again changes nothing. User errors: `INVALID` for each "
        "operation that cannot run, that has an invalid id, text or source, or whose id has another text, and for an "
        "invalid client or version." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def import_operations(self: Any, info: Info, input: ImportOperationsInput) -> ImportOperationsPayload | None:
        operations = [one.data() for one in input.operations]
        named = given(input.client) or "", given(input.client_versions) or []
        return await payload(commands.import_operations(info.context, _core(info), operations, *named))

    @strawberry.mutation(
        description="Withdraws operations: all or none. API processes refuse them within 15 seconds, with "
        "`OPERATION_WITHDRAWN` and the message. User errors: `TARGET_NOT_FOUND`, and `INVALID` for the message."
        + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def withdraw_operations(self: Any, info: Info, input: WithdrawOperationsInput) -> OperationsPayload | None:
        return await payload(commands.change_operations(info.context, input.ids, input.message))

    @strawberry.mutation(
        description="Lets withdrawn operations run again: all or none. User errors: `TARGET_NOT_FOUND`, also for an "
        "operation that is not withdrawn." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def restore_operations(self: Any, info: Info, input: RestoreOperationsInput) -> OperationsPayload | None:
        return await payload(commands.change_operations(info.context, input.ids, None))

    @strawberry.mutation(
        description="Withdraws versions of a client: all or none. API processes refuse all operations of these "
        "versions within 15 seconds, with `OPERATION_WITHDRAWN` and the message. User errors: `TARGET_NOT_FOUND` for "
        "a version for which nothing was imported, and `INVALID` for the message, the client or a version." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def withdraw_client_versions(
        self: Any, info: Info, input: WithdrawClientVersionsInput
    ) -> ClientVersionsPayload | None:
        return await payload(commands.change_versions(info.context, input.client, input.client_versions, input.message))

    @strawberry.mutation(
        description="Lets withdrawn versions of a client run again: all or none. Succeeds and changes nothing for a "
        "version that is not withdrawn. User errors: `TARGET_NOT_FOUND` for a version for which nothing was imported, "
        "and `INVALID` for the client or a version." + _RULES,
        metadata=access(Rule.ACCOUNT, writes="admin"),
    )
    async def restore_client_versions(
        self: Any, info: Info, input: RestoreClientVersionsInput
    ) -> ClientVersionsPayload | None:
        return await payload(commands.change_versions(info.context, input.client, input.client_versions, None))
