"""The cache of documents: what it keeps, and for how long."""

import pytest
from graphql import GraphQLField

from execution.documents import Documents, Invalid
from execution.limits import Limits, TooCostly
from schema import schema

ME = "{ viewer { id } }"


def never(_: GraphQLField) -> bool:
    return False


def test_documents_that_were_refused_are_not_kept_and_those_kept_are_bounded() -> None:
    documents = Documents(schema._schema, never)
    for text in "{ nothing }", "{ viewer", "{ viewer { id } } #" + "x" * 60_000:
        with pytest.raises((Invalid, TooCostly)):
            documents.operation(text, None, None, Limits())
    assert not documents._kept

    for i in range(200):
        documents.operation(f"{ME} # {i} " + "x" * 10_000, None, None, Limits())
    assert 10 < len(documents._kept) < 60


def test_a_stored_document_stays() -> None:
    documents = Documents(schema._schema, never)
    documents.warm(ME)
    stored = documents.operation(ME, None, None, Limits())
    for i in range(200):
        documents.operation(f"{ME} # {i} " + "x" * 10_000, None, None, Limits())

    assert documents.operation(ME, None, None, Limits()).document is stored.document
