"""Plans return the same bytes as graphql-core. Errors may come in another order."""

from collections.abc import AsyncIterator

import pytest

from schema import schema
from schema.planned import Executor, plans_of
from tests.execution.bugs import BUGS
from tests.execution.collected import stored, stored_queries
from tests.execution.compared_executors import ComparedExecutors, Comparison
from tests.execution.faults import FAULTS, PAGE
from tests.execution.operations import operations
from tests.support.costs import counted_plans
from tests.support.logs import capture_logs

INTROSPECTION = ("{ __schema ", "{ __type(")
"""How queries about the schema itself start: tools send them, and only graphql-core executes them."""


async def written(executors: ComparedExecutors) -> AsyncIterator[Comparison]:
    """Yields the comparison of every hand-written operation with all its variables, for both viewers."""
    for query, given in operations(executors):
        for variables in given:
            for viewer in (None, "alice"):
                yield await executors.compare(query, viewer, **variables)


async def faulty(executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Comparison]:
    """Yields the comparison of a page under every fault, for both viewers. Its plan must not fall back."""
    for fault in FAULTS.values():
        for viewer in (None, "alice"):
            with monkeypatch.context() as patch:
                patch.setattr(Executor, "plans", plans_of(schema))
                fault(patch)
                compared = await executors.compare(PAGE, viewer, keys=["v0", "v1", "zz", "v2", "v3"])
            yield compared


async def differences(of: AsyncIterator[Comparison]) -> list[str]:
    """Returns the comparisons that differ in more than the order of errors, as text."""
    with capture_logs():
        return [str(one) async for one in of if one.differs]


async def is_found(of: AsyncIterator[Comparison]) -> bool:
    """Returns whether a comparison differs. Stops at the first difference."""
    with capture_logs():
        async for one in of:
            if one.differs:
                return True
    return False


async def test_hand_written_operations_have_equal_responses(executors: ComparedExecutors) -> None:
    assert await differences(written(executors)) == []


@pytest.mark.timeout(180)
@pytest.mark.prove
async def test_stored_queries_are_planned_and_have_equal_responses(executors: ComparedExecutors) -> None:
    assert len(stored_queries()) > 40
    different, ways = list[str](), dict[str, set[tuple[str, str]]]()
    before = counted_plans()
    with capture_logs():
        async for one in stored(executors):
            now = counted_plans()
            ways.setdefault(one.query, set()).update(way for way in now if now[way] > before.get(way, 0))
            before = now
            if one.differs:
                different.append(str(one))

    assert different == []
    by_plan_and_without = {("planned", ""), ("fallback", "off")}
    unplanned = [query for query, found in ways.items() if found != by_plan_and_without]
    assert [query for query in unplanned if not query.startswith(INTROSPECTION)] == []


async def test_faulty_resolvers_have_equal_responses(
    executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch
) -> None:
    with capture_logs():
        compared = [one async for one in faulty(executors, monkeypatch)]

    assert [str(one) for one in compared if one.differs] == []
    signed_in = compared[1::2]
    harmless = [name for name, one in zip(FAULTS, signed_in, strict=True) if not one.has_unexpected_error]
    assert harmless == []


@pytest.mark.prove
@pytest.mark.timeout(300)
async def test_planted_bugs_are_found(executors: ComparedExecutors, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not await is_found(written(executors))
    assert not await is_found(faulty(executors, monkeypatch))
    missed = []
    for name, plant in BUGS.items():
        with monkeypatch.context() as patch:
            plant(patch)
            patch.setattr(Executor, "plans", plans_of(schema))
            if not (await is_found(written(executors)) or await is_found(faulty(executors, monkeypatch))):
                missed.append(name)

    assert missed == []
