"""Traces of requests and batches, as a receiver of OpenTelemetry gets them."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import pytest_asyncio

from settings import EventSettings, Settings
from store.outgoing.events.likes import REACTION_CHANGED
from store.write_log import dead_letters
from tests.support import webhooks
from tests.support.broken_database import missing
from tests.support.journal_entries import neighbours, states
from tests.support.outgoing import send_all
from tests.support.refused_rows import refusing_radio
from tests.support.spans import ReceivedSpan, Receiver, receiving
from tests.support.stores import standalone
from tests.support.system import LENIENT, SEEN, System, running
from workers.replay_dead_letters import apply_again

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED, UNSAMPLED = f"00-{TRACE}-{PARENT}-01", f"00-{TRACE}-{PARENT}-00"
HOSTILE = [
    "",
    "00",
    f"00-{'0' * 32}-{PARENT}-01",
    f"00-{TRACE}-{'0' * 16}-01",
    f"00-{TRACE.upper()}-{PARENT}-01",
    f"00-{TRACE}-{PARENT}-01-more",
    f"ff-{TRACE}-{PARENT}-01",
    f"00-{TRACE}-{PARENT}-0g",
    f"00-{TRACE}-{PARENT}",
    f"00-{TRACE[:-1]}'-{PARENT}-01",
    f"01-{TRACE}-{PARENT}-01-" + "x" * 5000,
    "é" * 55,
]
LIKE = """mutation Applaud($id: ID!) {
  like(input: {targetId: $id, source: "secret-source"}) { target { likeCount } userErrors { code } }
}"""


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    with receiving(monkeypatch) as one:
        yield one


@pytest_asyncio.fixture
async def traced(receiver: Receiver, make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application, which sends traces to the receiver."""
    del receiver
    events = EventSettings(private_addresses=True)
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, events=events)) as one:
        yield one


async def entries(system: System) -> list[dict[bytes, bytes]]:
    """Returns the fields of all entries in the journals."""
    wanted = [(p, 0, 100) for p in range(system.settings.partitions)]
    return [entry.fields for some in await system.state.journals.read(wanted) for entry in some]


async def test_a_request_has_a_span_with_what_it_sends_to_the_stores(traced: System, receiver: Receiver) -> None:
    (video,) = await traced.videos("v1")
    alice = traced.person("alice")
    await alice.id()
    alice.headers |= {"apollographql-client-name": "app", "apollographql-client-version": "3.1"}

    await alice.ask(LIKE, id=video)
    await receiver.until(lambda _: receiver.named("mutation like"))

    (request,) = receiver.named("mutation like")
    assert (request.service, request.kind, request.parent, request.failed) == ("plaudit-api", "SERVER", "", False)
    assert request.attributes == {
        "graphql.operation.type": "mutation",
        "graphql.operation.name": "Applaud",
        "plaudit.operation": "like",
        "plaudit.client.name": "app",
        "plaudit.client.version": "3.1",
        "plaudit.outcome": "ok",
        "http.response.status_code": 200,
    }
    children = [span for span in receiver.spans if span.parent == request.id]
    assert {span.trace for span in children} == {request.trace}
    sent, loaded = ([span for span in children if span.kind == kind] for kind in ("CLIENT", "INTERNAL"))
    assert len(sent) + len(loaded) == len(children)
    assert [span.name for span in sent if "react" in span.name]
    loading = next(span for span in loaded if span.name == "load entities")
    assert (loading.attributes, loading.failed) == ({"plaudit.keys": 1}, False)
    reading = next(span for span in children if span.name == "SELECT reactions")
    assert reading.attributes["db.system.name"] == "postgresql"
    assert "FROM reactions" in str(reading.attributes["db.query.text"])


async def test_spans_have_no_values(traced: System, receiver: Receiver) -> None:
    (video,) = await traced.videos("secret-video")
    alice = traced.person("secret-handle")

    await alice.ask(LIKE, id=video)
    await alice.errors("query Unknown($x: ID!) { node(id: $x) { id } }", x="secret-id")
    await traced.drain()
    await receiver.until(lambda _: receiver.named("publish") and receiver.named("query node"))

    sent = b"".join(receiver.bodies)
    assert b"secret" not in sent
    assert alice.headers["authorization"].removeprefix("Bearer ").encode() not in sent


async def test_a_request_continues_the_trace_of_its_caller(traced: System, receiver: Receiver) -> None:
    anonymous = traced.person(None)
    anonymous.headers["traceparent"] = SAMPLED

    await anonymous.ask("{ square(first: 1) { nodes { id } } }")
    await receiver.until(lambda _: receiver.named("query square"))

    (request,) = receiver.named("query square")
    assert (request.trace, request.parent) == (TRACE, PARENT)


async def test_what_a_caller_does_not_sample_has_no_spans_and_leaves_nothing_in_the_journal(
    traced: System, receiver: Receiver
) -> None:
    (video,) = await traced.videos("v1")
    alice = traced.person("alice")
    await alice.id()
    alice.headers["traceparent"] = UNSAMPLED

    await alice.like(video)
    (entry,) = await entries(traced)
    await traced.drain()
    del alice.headers["traceparent"]
    await alice.ask(SEEN, id=video)
    await receiver.until(lambda _: receiver.named("query node"))

    assert b"traceparent" not in entry
    assert receiver.named("mutation like") == receiver.named("store") == []
    assert TRACE not in {span.trace for span in receiver.spans}


@pytest.mark.parametrize("value", HOSTILE)
async def test_an_invalid_traceparent_is_ignored(traced: System, receiver: Receiver, value: str) -> None:
    headers = [(b"traceparent", value.encode("latin-1")), (b"content-type", b"application/json")]

    answer = await traced.http.post("/graphql", json={"query": "{ __typename }"}, headers=headers)
    await receiver.until(lambda _: receiver.named("query __typename"))

    assert answer.json()["data"] == {"__typename": "Query"}
    (request,) = receiver.named("query __typename")
    assert request.parent == ""
    assert request.trace != TRACE


async def test_two_traceparents_are_ignored(traced: System, receiver: Receiver) -> None:
    headers = [("traceparent", SAMPLED)] * 2

    await traced.http.post("/graphql", json={"query": "{ __typename }"}, headers=headers)
    await receiver.until(lambda _: receiver.named("query __typename"))

    assert receiver.named("query __typename")[0].trace != TRACE


async def test_a_batch_is_in_the_trace_of_each_of_its_requests(traced: System, receiver: Receiver) -> None:
    first, second = await neighbours(traced, 2)
    (video,) = await traced.videos("v1")
    await first.person.like(video)
    await second.person.like(video)

    await traced.drain()
    await receiver.until(lambda _: len(receiver.named("publish")) == 2)

    stored = {span.trace: span for span in receiver.named("store")}
    requests = receiver.named("mutation like")
    assert len(stored) == len(requests) == 2
    for request in requests:
        assert stored[request.trace].parent == request.id
    busy, idle = sorted(stored.values(), key=lambda span: -len(children_of(span, receiver)))
    assert {"INSERT reactions", "COMMIT"} <= children_of(busy, receiver)
    assert children_of(idle, receiver) == set()
    assert busy.links == [(idle.trace, idle.id)]
    assert idle.links == [(busy.trace, busy.id)]


def children_of(span: ReceivedSpan, receiver: Receiver) -> set[str]:
    """Returns the names of the children of a span."""
    return {one.name for one in receiver.spans if one.parent == span.id}


async def test_a_failed_statement_has_no_message(traced: System, receiver: Receiver) -> None:
    (video,) = await traced.videos("v1")
    alice = traced.person("alice")
    await alice.id()
    async with missing(traced, "reactions"):
        assert await alice.errors(LIKE, id=video)
        await receiver.until(lambda _: receiver.named("mutation like"))

    (request,) = receiver.named("mutation like")
    assert request.failed
    assert request.attributes["error.type"] == "INTERNAL"
    (reading,) = receiver.named("SELECT reactions")
    assert reading.failed
    assert reading.attributes["error.type"] == "ProgrammingError"
    assert reading.message == ""
    assert reading.events == []


@standalone
async def test_a_dead_letter_keeps_its_traceparent_and_can_be_replayed(traced: System, receiver: Receiver) -> None:
    (video,) = await traced.videos("v1")
    (alice,) = await neighbours(traced, 1)
    alice.person.headers["traceparent"] = SAMPLED
    async with refusing_radio(traced):
        await alice.person.react("like", video, source="radio")
        await traced.drain()
    (letter,) = await dead_letters.read(traced.state.postgres)

    await apply_again(traced.state, letter)
    await receiver.until(lambda _: receiver.named("mutation like"))

    (request,) = receiver.named("mutation like")
    assert letter.entry.traceparent == f"00-{TRACE}-{request.id}-01".encode()
    assert await states(traced) == {alice.user_id: 1}


@standalone
async def test_the_request_to_a_webhook_continues_the_trace(traced: System, receiver: Receiver) -> None:
    alice, bob = traced.person("alice"), traced.person("bob")
    alice.headers["traceparent"], bob.headers["traceparent"] = SAMPLED, UNSAMPLED
    (video,) = await traced.videos("v1")
    async with webhooks.receiver() as server:
        await webhooks.to_webhook(traced, server, kinds=(REACTION_CHANGED.number,))
        await alice.ask(LIKE, id=video)
        await bob.ask(LIKE, id=video)
        await traced.drain()

        await send_all(traced)
        await receiver.until(lambda _: receiver.named("send events") and receiver.named("mutation like"))

    (request,), (sending,) = receiver.named("mutation like"), receiver.named("send events")
    assert (sending.trace, sending.parent) == (TRACE, request.id)
    headers = [one.headers["traceparent"] for one in server.requests if "traceparent" in one.headers]
    assert headers == [f"00-{TRACE}-{sending.id}-01"]
    assert len(webhooks.received(server)) == 2
    assert b"traceparent" not in b"".join(one.body for one in server.requests)
