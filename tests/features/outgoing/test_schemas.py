"""Requests to webhooks and their events are as the JSON Schemas in docs/events say."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest_asyncio
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from cli import event_schemas
from settings import EventSettings, Settings
from store.outgoing.cursors import Cursor
from tests.support import comments, erasing, notices, notifications, posts
from tests.support.content_follows import follow_entities, follow_topics, unfollow_topics
from tests.support.deletions import cancel, delete, finish
from tests.support.external_reviewer import Server
from tests.support.follows import follow, id_of
from tests.support.guide import FOLDER
from tests.support.outgoing import received, to_stream
from tests.support.quotes import detach, quoted
from tests.support.reports import reported, resolve
from tests.support.reposts import repost
from tests.support.saves import save
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, System, running
from tests.support.webhooks import to_webhook
from workers.outgoing.unstored import lost, sample

pytestmark = standalone

REMOVE = "mutation ($ids: [ID!]!) { removeEntities(ids: $ids) { userErrors { message } } }"
SETTINGS = EventSettings(private_addresses=True)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, events=SETTINGS)) as one:
        yield one


def validator(name: str) -> Draft202012Validator:
    """Returns a validator for the schema in a file, which may refer to the schemas in other files."""
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    resources = ((file, Resource[Any].from_contents(schema)) for file, schema in schemas.items())
    return Draft202012Validator(schemas[name], registry=Registry[Any]().with_resources(resources))


async def test_requests_with_events_of_all_kinds_are_valid_for_their_schemas(system: System, server: Server) -> None:
    await to_stream(system)
    await to_webhook(system, server)
    alice, judge = system.person("alice"), moderator(system)
    (video,) = await system.videos("v1", owner="olga")
    (post,) = await posts.published(alice, "hello")
    await system.drain()
    comment = await comments.added(alice, video, "nice")
    await alice.like(video)
    await save(alice, video)
    await repost(alice, post)
    (quote,) = await quoted(system.person("bob"), post, "quoted")
    await system.drain()
    await detach(alice, quote)
    await follow_entities(alice, video)
    await follow(alice, await id_of(system.person("bob")))
    await reported(alice, video)
    await notices.sent(system.person(None), video)
    await posts.edit(alice, post, text="changed", topics=["cats"])
    await system.drain()
    await follow_topics(alice, "cats")
    await unfollow_topics(alice, "cats")
    await comments.edit(alice, comment, text="changed")
    await system.drain()
    await resolve(judge, video, "DISMISS")
    olga = system.person("olga")
    await notifications.mark(olga, (await notifications.page(olga)).cursors[0])
    await posts.delete(alice, post)
    await comments.delete(alice, comment)
    await alice.ask('mutation { updateProfile(input: {bio: "b"}) { userErrors { message } } }')
    await suspend(judge, await alice.id(), "READ_ONLY")
    await system.person("service", "entities:write").ask(REMOVE, ids=[video])
    await erasing.erase(system.person("registrar", "entities:write"), *await system.videos("v9"))
    await erasing.finish(system)
    await delete(olga, days=3)
    await cancel(olga)
    await delete(olga)
    await finish(system)

    events = await received(system)
    extra = [json.loads(one.body) for one in (lost(Cursor("stream", 3, 9, 5, 9)), sample(1_700_000_000_000))]
    bodies = [json.loads(request.body) for request in server.requests]

    assert sorted(event["id"] for body in bodies for event in body["events"]) == sorted(one["id"] for one in events)
    valid, classes = validator("request.v1.json"), event_schemas.events()
    for body in (*bodies, {"partition": 3, "events": extra}):
        valid.validate(body)
        for event in body["events"]:
            assert not valid.is_valid({**body, "events": [{**event, "kind": "unknown"}]})
            assert not valid.is_valid({**body, "events": [{name: event[name] for name in event if name != "data"}]})
            parsed = classes[event["kind"]].model_validate_json(json.dumps(event), strict=True, extra="forbid")
            assert json.loads(parsed.model_dump_json(by_alias=True)) == event
    schemas = {path.name.removesuffix(".v1.json") for path in FOLDER.glob("*.v1.json")}
    assert schemas - {event["kind"] for event in (*events, *extra)} == {"request"}
