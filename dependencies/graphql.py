"""Undocumented parts of graphql-core: the methods of its executor, and the functions that select fields and coerce
variables.

**What.** `Executor` can be subclassed, but its docstring says that the methods used internally "are not part of the
public API"; Plaudit overrides and calls some of them. `collect_fields` and `collect_subfields` return the selected
fields as `FieldDetails`. `FragmentDetails`, `VariableValues`, `VariableValueSource`, `GraphQLVariableSignature` and
`get_variable_signature` make an executor without `Executor.build`. `Path` is from a package whose functions "are not
part of the module interface".

**Why.** The public `execute` runs a coroutine for each field of each object: 350 for a page of fifty objects with seven
fields. With plans, pages are answered 3 to 6 times as often (docs/internals/performance.md). A plan must mean the same
as graphql-core by a document, so it uses these functions (docs/adr/0008-queries-run-as-compiled-plans.md).

**Test.** tests/dependencies/test_graphql.py executes queries, a mutation and a subscription step by step with these
parts. tests/execution compares the answers of plans with those of graphql-core.

**Upgrade.** The changelog of graphql-core names changes of its executor. Change the names here and the calls in
execution/ and schema/planned.py, then run tests/execution. To do without: `PLAUDIT_COMPILED_PLANS=false` executes all
operations with graphql-core, which still needs `Executor` for subscriptions and for values that are missing.
"""

from graphql.execution import Executor
from graphql.execution.collect_fields import FieldDetails, FragmentDetails, collect_fields, collect_subfields
from graphql.execution.get_variable_signature import GraphQLVariableSignature, get_variable_signature
from graphql.execution.values import VariableValues, VariableValueSource
from graphql.pyutils import Path

__all__ = [
    "Executor",
    "FieldDetails",
    "FragmentDetails",
    "GraphQLVariableSignature",
    "Path",
    "VariableValueSource",
    "VariableValues",
    "collect_fields",
    "collect_subfields",
    "get_variable_signature",
]
