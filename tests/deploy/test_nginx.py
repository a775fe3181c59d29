"""A real nginx with the kit's configuration, in front of two real APIs."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from api.transports.websocket import PROTOCOL
from runner.ports import HOST as LOOPBACK
from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from tests.deploy.kit import KIT
from tests.deploy.proxied import HOST, TYPENAME, addresses, client
from tests.support import nginx
from tests.support.deployment import Deployment, deployed
from tests.support.stores import PARTITIONS
from tests.support.subscriptions import WATCH, Socket, Stream
from tests.support.system import Api

DRAIN = 4.0
"""Seconds. Longer than the two after which nginx asks an API again that was down."""

pytestmark = pytest.mark.skipif(nginx.PROGRAM is None, reason=nginx.MISSING)


@dataclass
class Site:
    """nginx, and the two APIs behind it."""

    home: Path
    port: int
    trusting: ssl.SSLContext
    deployment: Deployment
    apis: list[Process]
    api: Api
    """The API as clients of nginx see it."""

    @property
    def http(self) -> httpx.AsyncClient:
        return self.api.http

    def socket(self, local: str = LOOPBACK, **headers: str) -> connect:
        """Opens a WebSocket through nginx, from one of the addresses of this machine."""
        return connect(
            f"wss://{HOST}:{self.port}/graphql",
            subprotocols=[PROTOCOL],  # type: ignore[list-item]
            ssl=self.trusting,
            host=LOOPBACK,
            local_addr=(local, 0),
            additional_headers=headers,
            proxy=None,
        )


@pytest_asyncio.fixture(scope="module")
async def site(
    postgres: Postgres,
    valkey: Valkey,
    empty_database: Callable[[], Awaitable[None]],
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Site]:
    await empty_database()
    valkey.command("FLUSHALL")
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    home = folder / "nginx"
    home.mkdir()
    settings: dict[str, Any] = {"partitions": PARTITIONS, "drain_seconds": DRAIN, "moderation_console": True}
    settings |= {"connections": {"streaming_per_address": 1}}
    second = {"PLAUDIT_DRAIN_SECONDS": str(DRAIN)}
    with deployed(folder, postgres.url, valkey.url, second=second, **settings) as deployment:
        apis = [deployment.start_api(number) for number in range(2)]
        deployment.start_worker()
        trusting = nginx.certify(home, HOST)
        await deployment.ready()
        proxy = nginx.started(home, port, configuration(home, port, addresses(deployment)))
        try:
            async with client(port, trusting) as http:
                yield Site(home, port, trusting, deployment, apis, Api(http, deployment.settings))
        finally:
            proxy.stop()


def configuration(home: Path, port: int, apis: list[str], console_for: str | None = None) -> str:
    """Returns the kit's configuration at another port, in front of two APIs at these addresses. The moderation
    console is open for a network, if one is given.
    """
    text = (KIT / "nginx" / "upstream.conf").read_text() + (KIT / "nginx" / "plaudit.conf").read_text()
    if console_for:
        text = re.sub(r"^    #(?! \S)", "    ", text, flags=re.MULTILINE).replace("192.0.2.0/24", console_for)
    first, second = apis
    return nginx.at(
        text,
        {
            "listen 443 ssl": f"listen {LOOPBACK}:{port} ssl",
            "/etc/nginx/tls/certificate.pem": f"{home}/certificate",
            "/etc/nginx/tls/key.pem": f"{home}/key",
            "server 127.0.0.1:8001 ": f"server {first} ",
            "server 127.0.0.1:8002 ": f"server {second} ",
        },
    )


async def test_only_graphql_and_exports_are_public(site: Site) -> None:
    paths = ["/", "/metrics", "/livez", "/readyz", "/media/verify", "/reviews", "/graphql/", "/graphiql", "//metrics"]
    paths += ["/moderation", "/moderation/log"]

    async with httpx.AsyncClient(trust_env=False) as inside:
        behind = [
            await inside.get(f"{url}{path}") for url in site.deployment.urls for path in ("/metrics", "/moderation")
        ]
    answers = {path: (await site.http.get(path)).status_code for path in paths}
    query = await site.http.post("/graphql", json=TYPENAME)

    assert [answer.status_code for answer in behind] == [200] * 4
    assert answers == dict.fromkeys(paths, 404)
    assert (query.status_code, query.json()["data"]) == (200, {"__typename": "Query"})
    assert (await site.http.get("/exports/wrong")).json() == {"error": "There is no export with this link."}


@pytest.mark.parametrize(("network", "statuses"), [("127.0.0.0/8", [200, 200, 200]), ("192.0.2.0/24", [403, 403, 403])])
async def test_the_moderation_console_is_open_for_the_networks_of_moderators(
    site: Site, tmp_path: Path, network: str, statuses: list[int]
) -> None:
    home, port = tmp_path / "nginx", free_port()
    home.mkdir()
    trusting = nginx.certify(home, HOST)
    proxy = nginx.started(home, port, configuration(home, port, addresses(site.deployment), network))
    try:
        async with client(port, trusting) as http:
            page = await http.get("/moderation")
            script = re.search(r'src="(/moderation/assets/[^"]+)"', page.text)
            paths = ["/moderation/log", script[1] if script else "/moderation/assets/none.js"]
            answers = [page, *[await http.get(path) for path in paths]]
            closed = [(await http.get(path)).status_code for path in ("/moderations", "/", "/metrics")]
            query = await http.post("/graphql", json=TYPENAME)
    finally:
        proxy.stop()

    assert [answer.status_code for answer in answers] == statuses
    assert closed == [404, 404, 404]
    assert query.status_code == 200


async def test_a_websocket_and_an_event_stream_show_a_like_at_once(site: Site) -> None:
    (video,) = await site.api.videos("watched")
    yuki, noah = site.api.person("yuki"), site.api.person("noah")
    body = {"query": WATCH, "variables": {"ids": [video]}}
    accept = {**yuki.headers, "accept": "text/event-stream"}

    async with site.socket() as connection, site.http.stream("POST", "/graphql", json=body, headers=accept) as answer:
        socket, stream = Socket(connection), Stream(answer)
        await socket.init(yuki.headers)
        await socket.subscribe([video])
        first = [(await socket.value())["likeCount"], (await stream.value())["likeCount"]]
        await noah.like(video)
        seen = [(await socket.value())["likeCount"], (await stream.value())["likeCount"]]

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "content-encoding" not in answer.headers
    assert (first, seen) == ([0, 0], [1, 1])


async def test_long_answers_are_compressed_and_can_be_revalidated(site: Site) -> None:
    async def got(query: str, **headers: str) -> httpx.Response:
        return await site.http.get("/graphql", params={"query": query}, headers=headers)

    long, short = await got("{ __schema { types { name fields { name } } } }"), await got("{ __typename }")
    plain = await got("{ __schema { types { name fields { name } } } }", **{"Accept-Encoding": "identity"})
    known = await got("{ __schema { types { name fields { name } } } }", **{"If-None-Match": long.headers["etag"]})

    assert [answer.headers.get("content-encoding") for answer in (long, short, plain)] == ["gzip", None, None]
    assert long.num_bytes_downloaded < plain.num_bytes_downloaded / 2
    assert long.json() == plain.json()
    assert "Accept-Encoding" in long.headers["vary"]
    assert known.status_code == 304


async def test_a_browser_of_the_site_may_open_a_websocket(site: Site) -> None:
    yuki = site.api.person("yuki")

    async with site.socket(Origin=f"https://{HOST}:{site.port}") as connection:
        await Socket(connection).init(yuki.headers)
    with pytest.raises(InvalidStatus) as refused:
        await site.socket(Origin="https://elsewhere.example.com")

    assert refused.value.response.status_code == 403


async def test_large_bodies_are_refused(site: Site) -> None:
    registrar = site.api.person("registrar", "entities:write").headers

    async def sent(size: int, **headers: str) -> httpx.Response:
        json_headers = {"content-type": "application/json", **headers}
        return await site.http.post(
            "/graphql", content=b'{"query": "{ __typename }"}'.ljust(size), headers=json_headers
        )

    bulk, large = await sent(1_000_000, **registrar), await sent(200_000)
    huge = await sent(1_100_000, **registrar)

    assert [answer.status_code for answer in (bulk, large, huge)] == [200, 413, 413]
    assert "errors" in large.json()  # the API refuses a body that nginx passes on
    assert huge.headers["content-type"] == "text/html"  # nginx refuses it


async def test_long_request_heads_reach_the_api(site: Site) -> None:
    def padded(size: int) -> dict[str, str]:
        return {"X-Padding": "x" * size}

    long, longer = [await site.http.post("/graphql", json=TYPENAME, headers=padded(size)) for size in (12_000, 20_000)]

    assert long.json()["data"] == {"__typename": "Query"}
    assert (longer.status_code, longer.headers["content-type"]) == (400, "text/html")


async def test_each_client_has_its_own_address(site: Site) -> None:
    """Each of the two APIs takes one anonymous stream of an address."""

    async def opened(stack: AsyncExitStack, local: str, **headers: str) -> bool:
        try:
            connection = await stack.enter_async_context(site.socket(local, **headers))
            await Socket(connection).init({})
        except (InvalidStatus, ConnectionClosed):
            return False
        return True

    async with AsyncExitStack() as stack:
        forged = [await opened(stack, "127.0.0.2", **{"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(3)]
        other = await opened(stack, "127.0.0.3")

    assert sum(forged) <= 2
    assert other


@pytest.mark.parametrize("value", ["auth0|alice", "0"])
async def test_nobody_acts_for_a_user_from_outside(site: Site, value: str) -> None:
    headers = {"X-Plaudit-User": value, **site.api.person("service", "act").headers}

    posted = await site.http.post("/graphql", json=TYPENAME, headers=headers)
    with pytest.raises(InvalidStatus) as refused:
        await site.socket(**headers)

    assert (posted.status_code, posted.headers["content-type"]) == (403, "text/html")
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", ["/graphql", "/moderation"])
async def test_clients_cannot_set_the_headers_that_the_api_trusts(tmp_path: Path, path: str) -> None:
    home, port = tmp_path / "nginx", free_port()
    home.mkdir()
    trusting = nginx.certify(home, HOST)
    heads: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, LOOPBACK, 0)
    address = f"{LOOPBACK}:{server.sockets[0].getsockname()[1]}"
    proxy = nginx.started(home, port, configuration(home, port, [address, address], console_for="127.0.0.0/8"))
    try:
        async with client(port, trusting) as http:
            forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "forged"}
            assert (await http.get(path, headers=forged)).status_code == 204
    finally:
        proxy.stop()
        server.close()

    lines = [line.partition(b": ") for line in heads[0].lower().split(b"\r\n")]
    sent = [(name.decode(), value.decode()) for name, _, value in lines if name.startswith(b"x-")]
    assert sorted(sent) == [("x-forwarded-for", "203.0.113.9, 127.0.0.1"), ("x-forwarded-proto", "https")]


async def test_http_2_is_offered(site: Site) -> None:
    offering = ssl.create_default_context(cafile=str(site.home / "certificate"))
    offering.set_alpn_protocols(["h2", "http/1.1"])

    _, writer = await asyncio.open_connection(LOOPBACK, site.port, ssl=offering, server_hostname=HOST)
    chosen: Any = writer.get_extra_info("ssl_object")
    writer.close()
    with suppress(ssl.SSLError):  # frames of HTTP/2 that arrive after the connection was closed
        await writer.wait_closed()

    assert chosen.selected_alpn_protocol() == "h2"


@pytest.mark.prove
async def test_no_request_fails_while_the_apis_restart_one_after_the_other(site: Site) -> None:
    (video,) = await site.api.videos("liked")
    done = asyncio.Event()
    statuses: list[int | str] = []

    async def ask(number: int) -> None:
        person = site.api.person(f"restless{number}")
        while not done.is_set():
            verb = "like" if len(statuses) % 2 else "unlike"
            document = f'mutation {{ {verb}(input: {{targetId: "{video}"}}) {{ userErrors {{ code }} }} }}'
            answer = await person.send(document)
            statuses.append(200 if answer.status_code == 200 and '"errors"' not in answer.text else answer.text)
            await asyncio.sleep(0.01)

    clients = [asyncio.create_task(ask(number)) for number in range(4)]
    for number, api in enumerate(site.apis):
        await asyncio.to_thread(api.stop, 30)
        site.apis[number] = site.deployment.start_api(number)
        await site.deployment.ready()
    done.set()
    await asyncio.gather(*clients)

    assert len(statuses) > 100
    assert set(statuses) == {200}, site.home.with_suffix(".log").read_text()
