"""The failure switch of `plaudit dev` stops and starts its stores, and exists nowhere else."""

import ast
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app import create_app
from runner.running import Running
from runner.waiting import wait_until
from settings import Settings
from tests.support.deployment import ROOT
from tests.support.developing import Alice, developing, found

DEV = {"X-Plaudit-Dev": "1"}


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data_dir = tmp_path_factory.mktemp("switch") / "data"
    with developing(data_dir):
        yield found(data_dir)


def switch(dev: Running, path: str, **headers: str) -> httpx.Response:
    return httpx.post(f"{dev.switch_url}{path}", headers={**DEV, **headers}, timeout=40)


def states(dev: Running) -> Any:
    return httpx.get(f"{dev.switch_url}/", headers=DEV, timeout=40).json()


def all_run(dev: Running) -> bool:
    """Returns whether all stores run within a minute. A stopped store does not start by itself."""
    return wait_until(lambda: states(dev) == {"postgres": "running", "redis": "running"}, 60)


def published(user: Alice) -> str:
    """Returns the id of a new post. Tries for a minute, because stores may have started a moment ago."""
    posts = list[str]()

    def publish() -> bool:
        posts.extend(filter(None, [user.publishes()]))
        return bool(posts)

    assert wait_until(publish, 60)
    return posts[0]


def ready(dev: Running) -> bool:
    return httpx.get(f"{dev.url}/readyz", timeout=10).status_code == 200


def can_connect(url: str) -> bool:
    parts = httpx.URL(url)
    try:
        socket.create_connection((parts.host, parts.port or 0), 5).close()
    except OSError:
        return False
    return True


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("name", "variable"), [("redis", "REDIS_URL"), ("postgres", "DATABASE_URL")])
def test_a_store_is_stopped_stays_stopped_and_is_started(dev: Running, name: str, variable: str) -> None:
    other = {"redis": "postgres", "postgres": "redis"}[name]
    assert all_run(dev)

    stopped = switch(dev, f"/{name}/stop")
    assert (stopped.status_code, stopped.json()) == (200, {name: "stopped", other: "running"})
    assert not can_connect(dev.environment[variable])
    assert switch(dev, f"/{name}/stop").json()[name] == "stopped"  # a repetition changes nothing
    assert httpx.get(f"{dev.url}/livez", timeout=10).status_code == 200  # the API goes on

    assert switch(dev, f"/{name}/start").status_code == 200
    assert all_run(dev)
    assert can_connect(dev.environment[variable])
    assert switch(dev, f"/{name}/start").json() == {"postgres": "running", "redis": "running"}
    assert wait_until(lambda: ready(dev), 60)


@pytest.mark.timeout(300)
def test_a_like_during_a_stop_of_redis_is_stored(dev: Running) -> None:
    token = httpx.get(f"{dev.url}/graphiql/session", timeout=10).json()["users"][0]["token"]
    alice = Alice(dev.url, token)
    post = published(alice)
    assert alice.others_see_likes(post, 0)
    switch(dev, "/redis/stop")
    assert wait_until(lambda: alice.likes(post), 60)
    switch(dev, "/redis/start")
    assert alice.others_see_likes(post, 1)
    assert all_run(dev)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/redis/stop", {"X-Plaudit-Dev": ""}, 403),
        ("/redis/stop", {"X-Plaudit-Dev": "0"}, 403),
        ("/redis/stop", {"Host": "evil.example:80"}, 403),
        ("/redis/stop", {"Host": ""}, 403),
        ("/redis/eat", {}, 404),
        ("/valkey/stop", {}, 404),
        ("/redis", {}, 404),
        ("/", {}, 404),
        ("/redis/stop?x", {}, 404),
    ],
)
def test_other_requests_change_nothing(dev: Running, path: str, headers: dict[str, str], status: int) -> None:
    answer = switch(dev, path, **headers)

    assert (answer.status_code, "error" in answer.json()) == (status, True)
    assert all_run(dev)


def test_a_page_of_another_origin_may_not_send_the_header(dev: Running) -> None:
    asked = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-plaudit-dev",
    }
    answer = httpx.options(f"{dev.switch_url}/redis/stop", headers=asked, timeout=10)

    assert answer.status_code == 501
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_only_dev_imports_the_switch() -> None:
    importing = [
        str(file.relative_to(ROOT))
        for file in ROOT.rglob("*.py")
        if not {".venv", "node_modules", "tests"} & set(file.relative_to(ROOT).parts) and _imports_switch(file)
    ]
    assert importing == ["runner/dev.py"]


def _imports_switch(file: Path) -> bool:
    nodes = ast.walk(ast.parse(file.read_text()))
    return any(isinstance(node, ast.ImportFrom) and node.module == "runner.switch" for node in nodes) or any(
        isinstance(node, ast.Import) and any(name.name == "runner.switch" for name in node.names)
        for node in ast.walk(ast.parse(file.read_text()))
    )


@pytest.mark.parametrize("env", ["development", "production"])
@pytest.mark.parametrize("redis_mode", ["standalone"])
@pytest.mark.usefixtures("redis_mode")
def test_an_api_has_no_route_of_the_switch(make_settings: Callable[..., Settings], env: str) -> None:
    routes = [getattr(route, "path", "") for route in create_app(make_settings(env=env)).routes]
    assert "/graphql" in routes
    assert not [path for path in routes if "switch" in path or "stop" in path or "redis" in path]


def test_the_api_of_dev_does_not_answer_for_the_switch(dev: Running) -> None:
    answer = httpx.post(f"{dev.url}/redis/stop", headers=DEV, timeout=10)

    assert answer.status_code in (404, 405)
    assert all_run(dev)
