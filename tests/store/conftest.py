"""A distributed Postgres for the tests of SQL."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.citus import ARCHIVE, citus


@pytest.fixture(scope="session")
def coordinator() -> Iterator[str]:
    """Starts a coordinator and two workers. Yields the coordinator's address."""
    archive = os.environ.get(ARCHIVE)
    if not archive:
        pytest.skip(f"{ARCHIVE} does not name an archive of Citus")
    with citus(Path(archive)) as url:
        yield url
