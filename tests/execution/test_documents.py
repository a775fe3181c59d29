"""The document cache: which documents it keeps, and for how long."""

import tracemalloc

import pytest
from graphql import GraphQLField

from execution.documents import Documents, Invalid, NoOperation, Undeclared
from execution.limits import Limits, TooCostly
from schema import schema

ME = "{ viewer { id } }"


def never(_: GraphQLField) -> bool:
    return False


def test_refused_documents_are_not_cached_and_the_cache_is_bounded() -> None:
    documents = Documents(schema.graphql_core, never)
    for text in "{ nothing }", "{ viewer", "{ viewer { id } } #" + "x" * 60_000:
        with pytest.raises((Invalid, TooCostly)):
            documents.operation(text, None, None, Limits())
    assert not documents._kept

    for i in range(200):
        documents.operation(f"{ME} # {i} " + "x" * 9_900, None, None, Limits())
    assert 10 < len(documents._kept) < 60


def test_a_stored_document_is_never_evicted() -> None:
    documents = Documents(schema.graphql_core, never)
    documents.warm(ME)
    stored = documents.operation(ME, None, None, Limits())
    for i in range(200):
        documents.operation(f"{ME} # {i} " + "x" * 9_900, None, None, Limits())

    assert documents.operation(ME, None, None, Limits()).prepared is stored.prepared


@pytest.mark.parametrize("text", [ME, "query A { viewer { id } } query B { viewer { id } }"])
def test_cached_data_of_requests_is_small_whatever_they_contain(text: str) -> None:
    """Clients choose the length of names of variables, operations and input members."""
    documents = Documents(schema.graphql_core, never)
    documents.operation(text, "A" if "A" in text else None, None, Limits())
    tracemalloc.start()
    try:
        for i in range(30):
            name = f"{'x' * 100_000}{i}"
            for variables in ({name: 1}, {"input": {name: [1]}}):
                with pytest.raises(Undeclared):
                    documents.operation(text, "A" if "A" in text else None, variables, Limits())
            with pytest.raises(NoOperation):
                documents.operation(text, name, None, Limits())
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert kept < 200_000


def test_the_number_of_very_small_documents_is_bounded() -> None:
    documents = Documents(schema.graphql_core, never)
    for i in range(1000):
        documents.operation(
            "{__typename}" + format(i, "010b").replace("0", " ").replace("1", ","), None, None, Limits()
        )

    assert 100 < len(documents._kept) <= 500
