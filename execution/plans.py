"""The compiled plans of operations, and the executor that runs them. A plan is compiled when it is first needed, and
kept. An operation that has a plan runs without graphql-core's executor.

The plan of a subscription runs for each event, with the event's payload as the root value.
"""

from collections.abc import Awaitable, Callable, Iterable
from itertools import product
from typing import Any, ClassVar

import orjson
from cachetools import LRUCache, TTLCache
from graphql import (
    ExecutionResult,
    FieldNode,
    GraphQLError,
    GraphQLOutputType,
    OperationType,
    is_non_null_type,
)

from dependencies.graphql import Executor, Path, VariableValues
from execution.compile import Compiler, Describe, IsShared, Mutation, Unplannable
from execution.inputs import InvalidArguments, PreparedOperation
from execution.limits import TooCostly
from execution.run import Anomaly, Completer, Excuse, Expected, Frame, PlanRun

Plan = Completer | Mutation
ReportOutcome = Callable[[str, str], None]
"""A function that is called for every operation with its outcome (planned, fallback or rerun) and the reason."""

_KEPT = 1000
_MOST_RERUNS = 3
_MOST_PREPARED = 3
"""The most variables in the directives of an operation whose plans are prepared. Each such variable doubles the number
of plans.
"""
_MOST_BY_TYPES, _MOST_BY_FIELD = 700, 2
"""The most fields and selections in a plan: the first number, plus the second for each field of the document."""
_TRUCE_S = 60.0


class Plans:
    """The most recently used plans. A plan belongs to one operation of one parsed document, and to certain values of
    the variables in the operation's directives. `describe` describes how a plan gets the value of a field; `is_shared`
    tells whether all requests get the same row objects of a type. `expected` are the exceptions after which a plan
    continues; `report` is called with the outcome of each operation.
    """

    def __init__(self, describe: Describe, is_shared: IsShared, expected: Expected, report: ReportOutcome) -> None:
        self.expected = expected
        self.report = report
        self._describe = describe
        self._is_shared = is_shared
        self._plans: LRUCache[tuple[object, ...], Plan | str] = LRUCache(_KEPT)
        self._reruns: TTLCache[PreparedOperation | None, int] = TTLCache(_KEPT, _TRUCE_S)

    def plan_for(self, prepared: PreparedOperation, variables: VariableValues) -> Plan | str:
        """Returns the plan of an operation for these variables, or a short reason why the operation has no plan. Keeps
        the plan or the reason. Raises TooCostly if the plan of a query or subscription is too large.
        """
        if self._reruns.get(prepared, 0) >= _MOST_RERUNS:
            return "reruns"
        key = (prepared, *[variables.coerced.get(name) for name in prepared.decisive])
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._compiled(prepared, variables)
        return plan

    def prepare(self, operations: Iterable[PreparedOperation]) -> None:
        """Compiles operations in advance, with a plan for each combination of values of the variables in directives.
        Skips mutations, and operations with more than three such variables. Raises TooCostly if a plan is too large.
        """
        for prepared in operations:
            names = prepared.decisive
            if prepared.operation.operation is not OperationType.MUTATION and len(names) <= _MOST_PREPARED:
                for values in product((False, True), repeat=len(names)):
                    self.plan_for(prepared, VariableValues({}, dict(zip(names, values, strict=True))))

    def rerun(self, prepared: PreparedOperation | None, why: str) -> None:
        """Records that the result of a plan was discarded, for the reason `why`, and that graphql-core executes the
        operation instead. After three reruns, `plan_for` returns no plan of the operation for a minute.
        """
        self.report("rerun", why)
        self._reruns[prepared] = self._reruns.get(prepared, 0) + 1

    def _compiled(self, prepared: PreparedOperation, variables: VariableValues) -> Plan | str:
        kind = prepared.operation.operation
        root_type = prepared.schema.get_root_type(kind)
        assert root_type is not None
        most = _MOST_BY_TYPES + _MOST_BY_FIELD * prepared.fields
        compiler = Compiler(prepared, variables, self._describe, self._is_shared, most)
        try:
            return compiler.mutation(root_type) if kind is OperationType.MUTATION else compiler.operation(root_type)
        except Unplannable as reason:
            return str(reason)
        except TooCostly:
            if kind is OperationType.MUTATION:
                return "size"
            raise
        except RecursionError:
            return "depth"
        except GraphQLError:
            return "directive"


class PlannedExecutor(Executor[Any]):
    """A mixin for executors that runs operations and subscription events by their plans. In the list of base classes,
    put it before the executor class that runs everything else.
    """

    plans: ClassVar[Plans]
    prepared: PreparedOperation | None = None
    """The operation to run by its plan. If None, graphql-core executes the operation."""

    def execute_operation(self, serially: bool | None = None) -> Any:
        """Runs the plan of the operation. If there is no plan, or if the plan of a query fails, graphql-core executes
        the operation.
        """
        plan = self.plans.plan_for(self.prepared, self.variable_values) if self.prepared else "off"
        if isinstance(plan, str):
            self.plans.report("fallback", plan)
            return super().execute_operation(serially)
        return self._mutate(plan) if isinstance(plan, list) else self._planned(plan, serially)

    def excuse(self, excuse: Excuse) -> None:
        """Records a field that is null because of an expected exception, and that is not an error of the response.
        Subclasses implement this method.
        """
        raise NotImplementedError

    def handle_field_error(
        self, raw_error: Exception, return_type: GraphQLOutputType, field_details_list: Any, path: Path
    ) -> None:
        """Handles an error in a field that graphql-core executes, in the way of plans. If a nullable field below the
        root fields fails with an exception of the class `Expected.excused`, records an excuse: a null that is not an
        error. Otherwise lets graphql-core handle the error.
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
        """Runs the root fields of a mutation one after the other, each exactly once. If the plan fails after a root
        field has made its change, graphql-core writes the payload of this field.
        """
        data = dict[str, Any]()
        for field in mutation:
            path, type_ = Path(None, field.key, field.parent.name), field.field.type
            try:
                info = self.build_resolve_info(field.field, field.nodes, field.parent, path)
                payload = await field.resolve(self.root_value, info, **field.arguments(self))
                if payload is None:
                    completed = None
                elif run := await self._run(field.complete, payload, Frame(Frame(), field.key)):
                    self.collected_errors.errors.extend(run.errors)
                    completed = run.data
                else:
                    completed = self.complete_value(type_, field.details, info, path, payload, None)
                    completed = await completed if isinstance(completed, Awaitable) else completed
            except Exception as error:  # noqa: BLE001 - becomes an error of the response
                self.handle_field_error(error, type_, field.details, path)
                completed = None
            data[field.key] = completed
        return self.finish(self.build_response(data))

    async def _run(self, plan: Completer, value: Any, frame: Frame) -> PlanRun | None:
        """Runs a plan for one value, whose place in the response is `frame`. Returns the run with its result, or None
        if graphql-core must complete the value instead.
        """
        run = PlanRun(self, self.context_value, self.plans.expected)
        try:
            answer = plan(run, [value], frame)
            (text,) = answer if isinstance(answer, list) else await answer
            run.data = orjson.Fragment(text)
        except InvalidArguments:  # a mistake of the client, after which the plan is as good as before
            self.plans.report("rerun", "arguments")
            return None
        except Exception as error:  # noqa: BLE001 - graphql-core repeats and reports the error
            self.plans.rerun(self.prepared, str(error) if isinstance(error, Anomaly) else "exception")
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
