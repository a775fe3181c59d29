"""Client libraries as applications use them, with the versions of package-lock.json, against an API over real stores.

The scripts beside this file act as applications and print the result of each step (steps.mjs). The clients' own tools
write the manifests.
"""

import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from identity import auth
from tests.support.deployment import ROOT, Deployment, deployed
from tests.support.node import INSTALL_SECONDS, needs_node, run
from tests.support.stores import PARTITIONS
from tests.support.system import System

pytestmark = [
    pytest.mark.prove,
    needs_node,
    pytest.mark.parametrize("redis_mode", ["standalone"]),
]

UNLIKED = [0, None]
LIKED = [1, "LIKE"]
"""The number of likes, and alice's reaction."""

Serve = Callable[..., AbstractAsyncContextManager[Deployment]]
Steps = dict[str, list[list[Any]]]
"""For each step: the data that the client received or its error codes, and the requests that it sent."""


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the scripts, the installed clients, and the manifests of their operations."""
    folder = tmp_path_factory.mktemp("clients") / "app"
    shutil.copytree(Path(__file__).parent, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "node_modules"))
    shutil.copy(ROOT / "schema.graphql", folder)
    run(folder, "npm", "ci", seconds=INSTALL_SECONDS)
    run(folder, "npm", "run", "manifests")
    return folder


@pytest.fixture
def serve(system: System, tmp_path: Path) -> Serve:
    """Returns a function that starts an API with settings and imported manifests. The video v1 exists."""

    @asynccontextmanager
    async def serving(*imported: Path, **settings: Any) -> AsyncIterator[Deployment]:
        await system.videos("v1")
        stores = system.settings.database_url, system.settings.redis_url
        with deployed(tmp_path, *stores, partitions=PARTITIONS, **settings) as deployment:
            for manifest in imported:
                deployment.run("persisted", "import", str(manifest))
            deployment.start_api()
            await deployment.ready()
            yield deployment

    return serving


def steps_of(deployment: Deployment, clients: Path, *script: str) -> Steps:
    """Runs a script as alice. Returns the result of each step."""
    token = auth.mint(deployment.settings, "alice")
    steps: Steps = json.loads(run(clients, "node", *script, PLAUDIT_URL=deployment.url, PLAUDIT_TOKEN=token))
    return steps


@pytest.mark.parametrize("client", [("apollo.mjs", "automatic"), ("urql.mjs",)])
async def test_clients_stop_sending_hashes_if_registration_is_off(
    clients: Path, serve: Serve, client: tuple[str, ...]
) -> None:
    async with serve(apq=False) as deployment:
        steps = steps_of(deployment, clients, *client)

    first, then = steps["unknown"], steps["known"]
    assert [outcome for outcome, _ in (first, then, steps["counted"])] == [UNLIKED, UNLIKED, LIKED]
    assert [request.split()[1:] for request in first[1] + then[1]] == [
        ["hash", "200"],
        ["query", "200"],
        ["query", "200"],
    ]


async def test_apollo_client_registers_operations_by_their_hash(clients: Path, serve: Serve) -> None:
    async with serve() as deployment:
        steps = steps_of(deployment, clients, "apollo.mjs", "automatic")

    assert steps == {
        "unknown": [UNLIKED, ["POST hash 200", "POST query+hash 200"]],
        "known": [UNLIKED, ["POST hash 200"]],
        "known to others, by GET": [UNLIKED, ["GET hash 200"]],
        "unknown, by GET": [UNLIKED, ["GET hash 200", "POST query+hash 200"]],
        "known, by GET": [UNLIKED, ["GET hash 200"]],
        "like": [LIKED, ["POST hash 200", "POST query+hash 200"]],
        "cached": [LIKED, []],
        "counted": [LIKED, ["POST hash 200"]],
        "anonymous like": [["UNAUTHENTICATED"], ["POST hash 294"]],
    }


async def test_apollo_client_runs_only_its_manifest_in_lockdown(clients: Path, serve: Serve) -> None:
    async with serve(
        persisted_only=True, persisted_manifests=(clients / "persisted-query-manifest.json",)
    ) as deployment:
        steps = steps_of(deployment, clients, "apollo.mjs", "manifest")

    assert steps == {
        "video": [UNLIKED, ["GET hash 200"]],
        "like": [LIKED, ["POST hash 200"]],
        "counted": [LIKED, ["GET hash 200"]],
        "anonymous like": [["UNAUTHENTICATED"], ["POST hash 294"]],
        "ad hoc": [["PERSISTED_QUERY_ONLY"], ["POST query 403"]],
        "ad hoc by hash": [["PERSISTED_QUERY_ONLY"], ["POST hash 403"]],
    }


async def test_urql_registers_queries_by_their_hash(clients: Path, serve: Serve) -> None:
    async with serve() as deployment:
        steps = steps_of(deployment, clients, "urql.mjs")

    assert steps == {
        "unknown": [UNLIKED, ["GET hash 200", "GET query+hash 200"]],
        "known": [UNLIKED, ["GET hash 200"]],
        "known to others": [UNLIKED, ["GET hash 200"]],
        "like": [LIKED, ["POST query 200"]],
        "counted": [LIKED, ["GET hash 200"]],
        "anonymous like": [["UNAUTHENTICATED"], ["POST query 294"]],
    }


async def test_relay_runs_only_imported_documents_in_lockdown(clients: Path, serve: Serve) -> None:
    async with serve(clients / "relay-manifest.json", persisted_only=True) as deployment:
        steps = steps_of(deployment, clients, "relay.mjs")

    assert steps == {
        "video": [UNLIKED, ["POST doc_id 200"]],
        "like": [LIKED, ["POST doc_id 200"]],
        "counted": [LIKED, ["POST doc_id 200"]],
        "anonymous like": [["UNAUTHENTICATED"], ["POST doc_id 200"]],
        "unknown": [["PERSISTED_QUERY_NOT_FOUND"], ["POST doc_id 404"]],
    }


OF_AN_OLDER_DRAFT = {
    **{f"476{n}": 422 for n in range(4)},
    **{f"LKJ{n}": 422 for n in range(4)},
    **{f"6C0{n}": 422 for n in range(4)},
    **{f"58B{n}": 422 for n in range(4)},
    **dict.fromkeys(("423L", "3E3A", "7B9B", "86EE"), 422),
    **dict.fromkeys(("572B", "FDE2"), 400),
}
"""Audits that require the statuses of an older draft, with the statuses of the draft in docs/reference/http.md."""


async def test_the_graphql_http_audits_fail_only_where_the_draft_has_changed(clients: Path, serve: Serve) -> None:
    async with serve() as deployment:
        failed = json.loads(run(clients, "node", "audit.mjs", PLAUDIT_URL=deployment.url))

    assert {audit: status for audit, (_, _, status) in failed.items()} == OF_AN_OLDER_DRAFT
