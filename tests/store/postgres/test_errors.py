"""Which errors of Postgres mean that a repetition may work."""

import asyncpg
import pytest
from asyncpg import exceptions
from sqlalchemy.exc import DBAPIError

from store.postgres.client import is_transient, may_be_down

LOST = "failure on connection marked as essential: 10.0.0.7:5432", "server closed the connection unexpectedly"


@pytest.mark.parametrize("message", LOST)
def test_a_lost_node_of_a_distributed_postgres_is_transient_and_the_coordinator_is_up(message: str) -> None:
    error = DBAPIError.instance("SELECT 1", None, exceptions.InternalServerError(message), asyncpg.PostgresError)

    assert is_transient(error)
    assert not may_be_down(error)


def test_other_internal_errors_are_not_transient() -> None:
    original = exceptions.InternalServerError("cache lookup failed for type 7")
    error = DBAPIError.instance("SELECT 1", None, original, asyncpg.PostgresError)

    assert not is_transient(error)
