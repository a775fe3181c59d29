"""Plans return the same bytes as graphql-core for random queries."""

from typing import Any

import pytest
from graphql import parse, validate
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import nodes
from hypothesis_graphql import queries as foreign_queries

from schema import schema
from tests.execution.compared_executors import ComparedExecutors
from tests.execution.generating import MOVING, Query, Values, queries
from tests.support.logs import capture_logs

# graphql-core drops the coroutines of other fields if a variable of @include or @skip is null.
pytestmark = pytest.mark.filterwarnings("ignore:coroutine 'GraphQLCoreConverter:RuntimeWarning")

LASTING = settings(
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
FIXED_QUERIES = settings(LASTING, derandomize=True)
"""The settings for tests that generate the same queries in every run."""


TIMES = st.sampled_from(["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "no time"]).map(nodes.String)


def values_of(executors: ComparedExecutors) -> Values:
    """Returns values for arguments: some exist in the seeded data, some do not."""
    return Values(
        {
            "handle": [*executors.handles, "Alice", "unknown_handle"],
            "externalIds": [*executors.handles, "no one"],
            "business": ["video", "video", "video", "article", "tiny", "podcast"],
            "action": ["plays", "downloads", "opens", "unknown"],
            "kind": ["like", "dislike", "love", "❤️", "😂"],
            "key": [*executors.keys, "zz", "a b"],
            "keys": [*executors.keys, *executors.keys, "zz"],
            "id": [*executors.ids, "User:7", "Entity:video:zz", "Viewer:7", "Post:7", "Topic:none"],
            **{key: [*executors.ids, "User:7", "Topic:none", "no id"] for key in ("targetId", "userId", "actorId")},
            "query": [
                "the",
                "from:alice",
                "has:image cats",
                "",
                "topic:cats before:2020-01-01",
                "ctas dogs",
                "?",
                *executors.handles,
                "x" * 101,
            ],
            "subjectId": [*executors.ids, "Post:7", "Topic:none"],
            "name": [*executors.topics, "#Cats", "nothing", "no topic"],
            "prefix": ["", "c", "#Ca", "two words", *executors.handles, "x" * 101],
            "language": ["en", "zh"],
            "number": ["A" * 29, "A"],
            **{name: ["web", "1.0"] for name in ("client", "clientVersion", "text", "action", "source")},
            "from": ["2026-01-01T00:00:00Z"],
            "to": ["2026-02-01T00:00:00Z", "2030-01-01T00:00:00Z"],
            "ids": [*executors.ids, *executors.ids, "User:7", "Entity:podcast:v0"],
            **dict.fromkeys(("after", "before", "since"), executors.cursors),
        }
    )


async def check(executors: ComparedExecutors, data: st.DataObject) -> None:
    """Draws one query, sends it to both applications and compares the responses."""
    query: Query = data.draw(queries(schema.graphql_core, values_of(executors)))
    viewer = data.draw(st.sampled_from([None, "alice", "newcomer"]))
    invalid: list[Any] = validate(schema.graphql_core, parse(query.text))
    assert invalid == [], query.text
    with capture_logs():
        await executors.same(query.text, viewer, **query.variables)


async def check_foreign(executors: ComparedExecutors, data: st.DataObject) -> None:
    """Compares the responses to a query of another generator, whose arguments are mostly invalid."""
    root = schema.graphql_core.query_type
    assert root is not None
    fields = [name for name in root.fields if name != "rateLimit"]  # its result changes with every request
    text: str = data.draw(
        foreign_queries(schema.graphql_core, fields=fields, allow_x00=False, custom_scalars={"DateTime": TIMES})
    )
    assume(not any(name in text for name in MOVING))
    viewer = data.draw(st.sampled_from([None, "alice"]))
    with capture_logs():
        await executors.same(text, viewer)


@pytest.mark.timeout(180)
@settings(FIXED_QUERIES, max_examples=120)
@given(data=st.data())
async def test_generated_queries_have_equal_responses(executors: ComparedExecutors, data: st.DataObject) -> None:
    await check(executors, data)


@pytest.mark.prove
@pytest.mark.timeout(900)
@settings(LASTING, max_examples=4000)
@given(data=st.data())
async def test_thousands_of_generated_queries_have_equal_responses(
    executors: ComparedExecutors, data: st.DataObject
) -> None:
    await check(executors, data)


@pytest.mark.prove
@pytest.mark.timeout(180)
@settings(FIXED_QUERIES, max_examples=60)
@given(data=st.data())
async def test_queries_of_another_generator_have_equal_responses(
    executors: ComparedExecutors, data: st.DataObject
) -> None:
    await check_foreign(executors, data)


@pytest.mark.prove
@pytest.mark.timeout(900)
@settings(LASTING, max_examples=2000)
@given(data=st.data())
async def test_thousands_of_queries_of_another_generator_have_equal_responses(
    executors: ComparedExecutors, data: st.DataObject
) -> None:
    await check_foreign(executors, data)
