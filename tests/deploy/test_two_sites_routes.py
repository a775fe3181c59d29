"""The kit's configuration of nginx for two sites, in front of real APIs, and that of HAProxy."""

import asyncio
import json
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
import yaml

from runner.ports import HOST as LOOPBACK
from runner.ports import free_port
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import ConnectionSettings
from tests.deploy.kit import COMPOSE, KIT
from tests.deploy.proxied import HOST, TYPENAME, addresses, client
from tests.support import nginx
from tests.support.deployment import Deployment, deployed
from tests.support.stores import PARTITIONS

ONE, TWO, OTHER, OWN = "127.0.0.1:8001", "127.0.0.1:8002", "10.0.2.1:8080", "10.0.1.1:8080"
PUBLIC = (KIT / "nginx" / "plaudit.conf").read_text()
HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
needs_nginx = pytest.mark.skipif(nginx.PROGRAM is None, reason=nginx.MISSING)


@pytest_asyncio.fixture(scope="module")
async def apis(
    postgres: Postgres,
    valkey: Valkey,
    empty_database: Callable[[], Awaitable[None]],
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Deployment]:
    """Runs two APIs, which stand for those of one site, or for one of each site."""
    await empty_database()
    valkey.command("FLUSHALL")
    folder = tmp_path_factory.mktemp("apis")
    with deployed(
        folder, postgres.url, valkey.url, second={"PLAUDIT_DRAIN_SECONDS": "1"}, partitions=PARTITIONS
    ) as deployment:
        for number in range(2):
            deployment.start_api(number)
        deployment.start_worker()
        await deployment.ready()
        yield deployment


@contextmanager
def proxies(folder: Path, *sites: tuple[str, str], writing: str = "plaudit_here") -> Iterator[httpx.AsyncClient]:
    """Starts nginx at two sites, each in front of two APIs at these addresses. Yields a client of the first site.
    `writing` is the write site as the first site names it.
    """
    public, private = [free_port() for _ in sites], [f"{LOOPBACK}:{free_port()}" for _ in sites]
    trusting: list[ssl.SSLContext] = []
    with ExitStack() as stack:
        for number, (one, two) in enumerate(sites):
            home = folder / f"nginx-{number}"
            home.mkdir()
            trusting.append(nginx.certify(home, HOST))
            routes = (KIT / "nginx" / "two-sites.conf").read_text()
            for place, other in {ONE: one, TWO: two, OTHER: private[1 - number], OWN: private[number]}.items():
                assert place in routes
                routes = routes.replace(place, other)
            routes = routes.replace(
                "default plaudit_here; }", f"default {writing if number == 0 else 'plaudit_here'}; }}"
            )
            text = routes + re.sub(
                r"^    #(?! \S)", "    ", (KIT / "nginx" / "plaudit.conf").read_text(), flags=re.MULTILINE
            )
            places = {
                "listen 443 ssl": f"listen {LOOPBACK}:{public[number]} ssl",
                "/etc/nginx/tls/certificate.pem": f"{home}/certificate",
                "/etc/nginx/tls/key.pem": f"{home}/key",
            }
            proxy = nginx.started(home, public[number], nginx.at(text, places))
            stack.callback(proxy.stop)
        yield client(public[0], trusting[0])


async def counted(deployment: Deployment, metric: str) -> list[int]:
    """Returns the sum of a metric at each API."""
    async with httpx.AsyncClient(trust_env=False) as inside:
        texts = [(await inside.get(f"{url}/metrics")).text for url in deployment.urls]
    return [int(sum(map(float, re.findall(rf"^{metric}(?:\{{.*\}})? (\S+)$", text, re.MULTILINE)))) for text in texts]


async def growth(deployment: Deployment, metric: str, act: Callable[[], Awaitable[object]]) -> list[int]:
    before = await counted(deployment, metric)
    await act()
    return [after - one for one, after in zip(before, await counted(deployment, metric), strict=True)]


@needs_nginx
async def test_canaries_meet_the_api_of_a_new_version(apis: Deployment, tmp_path: Path) -> None:
    one, two = addresses(apis)
    with proxies(tmp_path, (one, two), (two, two)) as http:

        async def send(**headers: str) -> None:
            for _ in range(4):
                assert (await http.post("/graphql", json=TYPENAME, headers=headers)).status_code == 200

        by_header = await growth(apis, "plaudit_requests_total", lambda: send(**{"X-Plaudit-Canary": "1"}))
        by_cookie = await growth(apis, "plaudit_requests_total", lambda: send(Cookie="plaudit_canary=1"))
        others = await growth(apis, "plaudit_requests_total", send)
        await http.aclose()

    assert by_header == by_cookie == [4, 0]
    assert sum(others) == 4
    assert others[1] > 0


@needs_nginx
async def test_downloads_go_to_the_site_that_writes_and_queries_stay(apis: Deployment, tmp_path: Path) -> None:
    one, two = addresses(apis)
    with proxies(tmp_path, (one, one), (two, two), writing="plaudit_there") as http:
        exports = await growth(apis, "plaudit_exports_total", lambda: http.get("/exports/wrong"))
        queries = await growth(apis, "plaudit_requests_total", lambda: http.post("/graphql", json=TYPENAME))
        await http.aclose()

    assert (exports, queries) == ([0, 1], [1, 0])


@needs_nginx
async def test_a_site_without_apis_sends_clients_to_the_other_one_and_is_not_ready(
    apis: Deployment, tmp_path: Path
) -> None:
    down, two = f"{LOOPBACK}:{free_port()}", addresses(apis)[1]
    with proxies(tmp_path, (down, down), (two, two)) as http:
        answer = await http.post("/graphql", json=TYPENAME)
        ready = await http.get("/readyz")
        await http.aclose()

    assert (answer.status_code, answer.json()["data"]) == (200, {"__typename": "Query"})
    assert ready.status_code == 502


@needs_nginx
async def test_the_question_whether_a_site_is_ready_has_no_arguments_from_outside(tmp_path: Path) -> None:
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, LOOPBACK, 0) as server:
        place = f"{LOOPBACK}:{server.sockets[0].getsockname()[1]}"
        with proxies(tmp_path, (place, place), (place, place)) as http:
            assert (await http.get("/readyz?promotion=1")).status_code == 200
            await http.aclose()

    assert asked == [b"GET /readyz HTTP/1.1"]


def test_both_configurations_of_nginx_differ_in_their_addresses_only() -> None:
    routes = (KIT / "nginx" / "two-sites.conf").read_text().partition("# 1.")[2]
    compose = (KIT / "nginx" / "two-sites-compose.conf").read_text().partition("# 1.")[2]

    for place, other in {ONE: "api-1:8000", TWO: "api-2:8000", OWN: "8080", OTHER: "other-site:8080"}.items():
        routes = routes.replace(place, other)
    assert routes == compose


def test_the_compose_file_of_two_sites_changes_services_of_the_first_file() -> None:
    change = yaml.safe_load((KIT / "compose.two-sites.yaml").read_text())
    options = COMPOSE["services"]["state"]["command"].partition("password.conf")[2].split()

    assert change["services"].keys() <= COMPOSE["services"].keys()
    assert change["services"]["state"]["command"].split() == ["valkey-server", "/data/valkey.conf", *options]
    (mounted,) = change["services"]["nginx"]["volumes"]
    assert mounted.partition(":")[2] in {one.partition(":")[2] for one in COMPOSE["services"]["nginx"]["volumes"]}
    for name in "worker", "api-1", "api-2":
        connections = json.loads(change["services"][name]["environment"]["PLAUDIT_CONNECTIONS"])
        assert str(ConnectionSettings(**connections).other_site) == "http://other-site:8080"
    for name in "api-1", "api-2":
        checked = change["services"][name]["healthcheck"]["test"]
        assert checked == [
            word.replace("/readyz", "/livez") for word in COMPOSE["services"][name]["healthcheck"]["test"]
        ]


@pytest.mark.skipif(HAPROXY is None, reason="haproxy is not on the PATH: apt-get install haproxy")
def test_haproxy_accepts_the_configuration_of_the_kit(tmp_path: Path) -> None:
    text = (KIT / "haproxy" / "two-sites.cfg").read_text()
    nginx.certify(tmp_path, HOST)
    (tmp_path / "both.pem").write_bytes((tmp_path / "certificate").read_bytes() + (tmp_path / "key").read_bytes())
    (tmp_path / "haproxy.cfg").write_text(nginx.at(text, {"/etc/haproxy/plaudit.pem": f"{tmp_path}/both.pem"}))

    assert HAPROXY
    checked = subprocess.run(
        [HAPROXY, "-c", "-f", str(tmp_path / "haproxy.cfg")], check=False, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr
    assert "WARNING" not in checked.stderr
