"""The plans of a schema. A plan is compiled when it is first needed, and kept. Operations that have a plan run without
graphql-core's executor.

The plan of a subscription runs for each event, with the event's payload as the root value.
"""

from collections.abc import Awaitable, Callable, Mapping
from itertools import product
from typing import Any, ClassVar, TypeVar

import orjson
from cachetools import LRUCache, TTLCache
from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    VariableNode,
    Visitor,
    is_non_null_type,
    visit,
)

from dependencies.graphql import Executor, Path, VariableValues
from execution.arguments import InvalidArguments
from execution.compile import Compiler, Describe, IsShared, Mutation, RootField, Unplannable
from execution.complete import Completer
from execution.frames import Frame
from execution.limits import TooCostly
from execution.run import Anomaly, Excuse, Expected, PlanRun
from execution.start import Start

T = TypeVar("T")
ReportOutcome = Callable[[str, str], None]
"""A function that is called for every operation with its outcome (planned, fallback or rerun) and the reason."""

_KEPT = 1000
_MOST_RERUNS = 3
_MOST_PREPARED = 3
"""The number of directive variables for which plans are prepared. Each variable doubles the number of plans."""
_MOST_BY_TYPES, _MOST_BY_FIELD = 600, 2
"""The maximum size of a plan in fields and selections: a constant, plus a number for each field of the document."""
_TRUCE_S = 60.0


class Plans:
    """The most recently used plans. A plan belongs to one operation of one parsed document, and to certain values of
    the variables in the operation's directives.
    """

    def __init__(self, describe: Describe, is_shared: IsShared, expected: Expected, report: ReportOutcome) -> None:
        self.expected = expected
        self.report = report
        self._describe = describe
        self._is_shared = is_shared
        # Keeping the operation ensures that no other operation gets the same id().
        self._found: LRUCache[int, tuple[OperationDefinitionNode, _DirectiveVariables]] = LRUCache(_KEPT)
        self._starts: LRUCache[int, Start] = LRUCache(_KEPT)
        self._plans: LRUCache[tuple[object, ...], Any] = LRUCache(_KEPT)
        self._reruns: TTLCache[int, int] = TTLCache(_KEPT, _TRUCE_S)

    def plan_for(self, executor: Executor[Any]) -> Completer | str:
        """Returns the plan of an executor's query or subscription, or the reason why the operation has no plan. Raises
        TooCostly if the plan is too large.
        """
        return self._kept(executor, lambda compiler, root_type: compiler.operation(root_type))

    def mutation_for(self, executor: Executor[Any]) -> Mutation | str:
        """Returns the compiled root fields of an executor's mutation, or the reason why the mutation has no plan."""
        try:
            return self._kept(executor, lambda compiler, root_type: compiler.mutation(root_type))
        except TooCostly:
            return "size"

    def _kept(self, executor: Executor[Any], compiled: Callable[[Compiler, GraphQLObjectType], T]) -> T | str:
        operation = executor.operation
        if executor.middleware_manager and executor.middleware_manager.middlewares:
            return "middleware"
        if self._reruns.get(id(operation), 0) >= _MOST_RERUNS:
            return "reruns"
        decisive = self._decisive(operation, executor.fragment_definitions)
        coerced = executor.variable_values.coerced
        key = (id(operation), *(coerced.get(name) for name in sorted(decisive)))
        plan: T | str | None = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._compiled(executor, compiled)
        return plan

    def prepare(self, schema: GraphQLSchema, document: DocumentNode) -> None:
        """Compiles the operations of a document in advance, with a plan for each combination of values of the variables
        in directives. Skips mutations, and operations with more than three such variables.
        """
        for operation in document.definitions:
            if isinstance(operation, OperationDefinitionNode) and operation.operation is not OperationType.MUTATION:
                start = self.start(schema, document, operation)
                names = sorted(self._decisive(operation, start.fragments))
                for values in product((False, True), repeat=len(names)) if len(names) <= _MOST_PREPARED else ():
                    variables = VariableValues({}, dict(zip(names, values, strict=True)))
                    self.plan_for(start.executor(Executor, None, variables))

    def start(self, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> Start:
        """Returns the data that all executions of an operation share (`Start`)."""
        start = self._starts.get(id(operation))
        if start is None:
            start = self._starts[id(operation)] = Start(schema, document, operation)
        return start

    def rerun(self, executor: Executor[Any], why: str) -> None:
        """Records that the result of a plan was discarded and that graphql-core executes the operation instead."""
        self.report("rerun", why)
        operation = id(executor.operation)
        self._reruns[operation] = self._reruns.get(operation, 0) + 1

    def _decisive(
        self, operation: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
    ) -> frozenset[str]:
        """Returns the names of the variables in directives. Their values decide which fields an operation has."""
        return self._look(operation, fragments).names

    def _look(
        self, operation: OperationDefinitionNode, fragments: Mapping[str, FragmentDefinitionNode]
    ) -> "_DirectiveVariables":
        known = self._found.get(id(operation))
        if known is None:
            finder = _DirectiveVariables()
            for node in (operation, *fragments.values()):
                visit(node, finder)
            known = self._found[id(operation)] = operation, finder
        return known[1]

    def _compiled(self, executor: Executor[Any], compiled: Callable[[Compiler, GraphQLObjectType], T]) -> T | str:
        fields = self._look(executor.operation, executor.fragment_definitions).fields
        most = _MOST_BY_TYPES + _MOST_BY_FIELD * fields
        root_type = executor.schema.get_root_type(executor.operation.operation)
        assert root_type is not None
        try:
            return compiled(Compiler(executor, self._describe, self._is_shared, most), root_type)
        except Unplannable as reason:
            return str(reason)
        except RecursionError:
            return "depth"
        except GraphQLError:
            return "directive"


class _DirectiveVariables(Visitor):
    """A visitor that collects the names of variables in directives, and counts fields."""

    def __init__(self) -> None:
        super().__init__()
        self._names: set[str] = set()
        self.fields = 0
        self._depth = 0

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._names)

    def enter_field(self, *_: Any) -> None:
        self.fields += 1

    def enter_directive(self, *_: Any) -> None:
        self._depth += 1

    def leave_directive(self, *_: Any) -> None:
        self._depth -= 1

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        if self._depth:
            self._names.add(node.name.value)


class PlannedExecutor(Executor[Any]):
    """A mixin for executors that runs operations and subscription events by their plans. In the list of base classes,
    put it before the executor class that runs everything else.
    """

    plans: ClassVar[Plans]

    @property
    def is_planned(self) -> bool:
        """Returns whether this executor uses plans."""
        return True

    def execute_operation(self, serially: bool | None = None) -> Any:
        """Runs the plan of the operation. If there is no plan, or if the plan of a query fails, graphql-core executes
        the operation.
        """
        if not self.is_planned:
            return self._unplanned("off", serially)
        if self.operation.operation is OperationType.MUTATION:
            mutation = self.plans.mutation_for(self)
            return self._unplanned(mutation, serially) if isinstance(mutation, str) else self._mutate(mutation)
        plan = self.plans.plan_for(self)
        return self._unplanned(plan, serially) if isinstance(plan, str) else self._planned(plan, serially)

    def _unplanned(self, why: str, serially: bool | None) -> Any:
        self.plans.report("fallback", why)
        return super().execute_operation(serially)

    def excuse(self, excuse: Excuse) -> None:
        """Records a null of the response that is not an error. Subclasses implement this method."""
        raise NotImplementedError

    def handle_field_error(
        self, raw_error: Exception, return_type: GraphQLOutputType, field_details_list: Any, path: Path
    ) -> None:
        """Handles an error in a field that graphql-core executes, in the same way as plans do: an expected error of a
        nullable field below the root fields is recorded as an excuse, not as an error.
        """
        if path.prev and isinstance(raw_error, self.plans.expected.excused) and not is_non_null_type(return_type):
            names = [key for key in path.as_list() if isinstance(key, str)]
            self.excuse(Excuse(names, _coordinate(field_details_list[0].node, path), raw_error))
        else:
            super().handle_field_error(raw_error, return_type, field_details_list, path)

    async def _planned(self, plan: Completer, serially: bool | None) -> Any:
        run = await self._run(plan, self.root_value, Frame())
        if run is None:
            result = super().execute_operation(serially)
            return await result if isinstance(result, Awaitable) else result
        return self.finish(ExecutionResult(run.data, run.errors or None))

    async def _mutate(self, mutation: Mutation) -> Any:
        """Runs the root fields of a mutation one after the other, each exactly once."""
        data = {field.key: await self._root_field(field) for field in mutation}
        return self.finish(self.build_response(data))

    async def _root_field(self, field: RootField) -> Any:
        """Runs a root field of a mutation and completes its payload. graphql-core completes the payload if the plan
        fails.
        """
        path = Path(None, field.key, field.parent.name)
        try:
            info = self.build_resolve_info(field.field, field.nodes, field.parent, path)
            payload = await field.resolve(self.root_value, info, **field.arguments(self))
            if payload is None:
                return None
            if run := await self._run(field.complete, payload, Frame(Frame(), field.key)):
                self.collected_errors.errors.extend(run.errors)
                return run.data
            completed = self.complete_value(field.field.type, field.details, info, path, payload, None)
            return await completed if isinstance(completed, Awaitable) else completed
        except Exception as error:  # noqa: BLE001 - becomes an error of the response
            self.handle_field_error(error, field.field.type, field.details, path)
            return None

    async def _run(self, plan: Completer, value: Any, frame: Frame) -> PlanRun | None:
        """Runs a plan for one value. Returns None if graphql-core must complete the value instead."""
        run = PlanRun(self, self.plans.expected)
        try:
            answer = plan(run, [value], frame)
            (text,) = answer if isinstance(answer, list) else await answer
            run.data = orjson.Fragment(text)
        except InvalidArguments:  # a mistake of the client, after which the plan is as good as before
            self.plans.report("rerun", "arguments")
            return None
        except Exception as error:  # noqa: BLE001 - graphql-core repeats and reports the error
            self.plans.rerun(self, str(error) if isinstance(error, Anomaly) else "exception")
            return None
        self.plans.report("planned", "")
        for excuse in run.excuses:
            self.excuse(excuse)
        return run


def _coordinate(node: FieldNode, path: Path) -> str:
    """Returns the coordinate of a field in the schema, such as `Post.author`. The path may end at an item of a list."""
    parent, step = path.typename, path
    while parent is None and step.prev:
        step = step.prev
        parent = step.typename
    return f"{parent}.{node.name.value}"
