"""One trace across processes: from the request of a like to the rows that a worker stores."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.support.deployment import Deployment, deployed
from tests.support.spans import ReceivedSpan, Receiver, receiving
from tests.support.subscriptions import ApiAtAddress

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiving(monkeypatch) as one:
        yield one


@pytest.fixture
def deployment(receiver: Receiver, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Returns a deployment over stores of its own, without running processes."""
    del receiver
    folder = tmp_path_factory.mktemp("stores")
    with (
        Postgres(folder / "postgres", durable=False) as postgres,
        Valkey(folder / "valkey") as valkey,
        deployed(tmp_path, postgres.url, valkey.url) as one,
    ):
        one.migrate()
        yield one


@pytest.mark.prove
@pytest.mark.timeout(180)
async def test_one_like_is_one_trace_from_the_request_to_the_rows(deployment: Deployment, receiver: Receiver) -> None:
    def of_trace(name: str) -> list[ReceivedSpan]:
        return [span for span in receiver.named(name) if span.trace == TRACE]

    deployment.start_api()
    worker = deployment.start_worker()
    await deployment.ready()
    await deployment.workers_started(worker)
    async with httpx.AsyncClient(base_url=deployment.url, timeout=20, trust_env=False) as http:
        people = ApiAtAddress(http, deployment.settings)
        (video,) = await people.videos("v1")
        alice = people.person("alice")
        await alice.id()
        alice.headers["traceparent"] = f"00-{TRACE}-{PARENT}-01"

        await alice.like(video)
        await receiver.until(lambda _: of_trace("publish") and of_trace("mutation like"))

    (request,) = of_trace("mutation like")
    asked, again = of_trace("redis change_own_set")  # the first call asks for the reaction in Postgres
    (stored,) = of_trace("store")
    (written,) = of_trace("INSERT reactions")
    (published,) = of_trace("publish")
    assert (request.service, request.parent) == ("plaudit-api", PARENT)
    assert (again.service, again.parent) == (asked.service, asked.parent) == ("plaudit-api", request.id)
    assert (stored.service, stored.parent) == ("plaudit-worker", request.id)
    assert (written.service, written.parent) == ("plaudit-worker", stored.id)
    assert (published.service, published.parent) == ("plaudit-worker", request.id)
    assert [span for span in of_trace("redis publish") if span.parent == published.id]
