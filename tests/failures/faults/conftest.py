"""Fixtures: private, durable stores, and a deployment over them, for tests that kill and stop processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.deployment import Deployment, deployed
from tests.support.labels import OF_TESTS, with_labels

COMMIT_TIMES = {"track_commit_timestamp": "on"}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Postgres, Valkey]]:
    """Returns servers of this module alone that keep everything they acknowledged."""
    folder = tmp_path_factory.mktemp("stores")
    with Postgres(folder / "postgres", settings=COMMIT_TIMES) as postgres, Valkey(folder / "valkey") as valkey:
        yield postgres, valkey


@pytest.fixture(scope="module")
def deployment(stores: tuple[Postgres, Valkey], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Returns a migrated deployment without running processes. Tests share its data and use prefixes of their own."""
    folder: Path = tmp_path_factory.mktemp("deployment")
    postgres, valkey = stores
    labelled = with_labels(folder, base=OF_TESTS)
    with deployed(folder, postgres.url, valkey.url, businesses_file=labelled) as one:
        one.migrate()
        yield one
