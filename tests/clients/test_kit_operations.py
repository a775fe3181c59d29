"""Operations of the client kit do what their names say, against the real API."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphql import parse

from execution.cost import price
from schema import schema
from settings import Settings
from tests.support.labels import with_labels
from tests.support.posts import on_square, published
from tests.support.stores import standalone
from tests.support.system import LENIENT, Person, System, running

KIT = Path(__file__).parents[2] / "clients" / "typescript" / "src" / "generated" / "persisted-documents.json"
OPERATIONS = {
    found[1]: text
    for text in json.loads(KIT.read_text()).values()
    if (found := re.search(r"\b(?:query|mutation) (\w+)", text))
}


async def run(person: Person, operation: str, **variables: Any) -> Any:
    """Returns the one field of the answer to an operation of the kit, which must not be refused."""
    data = await person.ask(OPERATIONS[operation], **variables)
    (answer,) = (value for name, value in data.items() if name != "__typename")
    assert not answer.get("userErrors")
    return answer


@standalone
async def test_notifications_are_marked_as_seen_and_one_of_them_as_read(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    posts = await published(alice, "first", "second")
    await system.drain()
    for post in posts:
        await bob.like(post)
    await system.drain()
    viewer = await run(alice, "Notifications")
    newest, older = viewer["notifications"]["edges"]
    assert (viewer["unseenNotificationCount"], newest["node"]["isSeen"]) == (2, False)

    marked = await run(alice, "MarkNotificationsSeen", upTo=newest["cursor"])
    assert marked["viewer"]["unseenNotificationCount"] == 0
    opened = await run(alice, "MarkNotificationRead", notificationId=older["node"]["id"])

    assert opened["notification"].items() >= {"id": older["node"]["id"], "read": True, "isSeen": True}.items()
    assert opened["viewer"]["unreadNotificationCount"] == 1
    edges = (await run(alice, "Notifications"))["notifications"]["edges"]
    assert [(one["node"]["read"], one["node"]["isSeen"]) for one in edges] == [(False, True), (True, True)]


@standalone
async def test_words_and_posts_are_hidden_and_shown_again(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    plain, _ = await published(bob, "plain", "a spoiler")
    await system.drain()

    await run(alice, "MuteWords", words=[{"text": "spoiler"}])
    assert await on_square(alice) == ["plain"]
    ((word,),) = [(await run(alice, "MutedWords"))["mutedWords"]]
    await run(alice, "UnmuteWords", ids=[word["id"]])
    for verb in ("HidePost", "ShowLess"):
        assert (await run(alice, verb, postId=plain))["post"]["viewerHasHidden"]
        assert await on_square(alice) == ["a spoiler"]
        assert not (await run(alice, "UnhidePost", postId=plain))["post"]["viewerHasHidden"]

    assert await on_square(alice) == ["a spoiler", "plain"]


@standalone
async def test_preferences_of_labels_are_read_and_set(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    async with running(make_settings(moderation=LENIENT, businesses_file=with_labels(tmp_path))) as system:
        alice = system.person("alice")
        chosen = await run(alice, "SetLabelPreferences", preferences=[{"label": "spoiler", "visibility": "HIDE"}])

        preferences = (await run(alice, "LabelPreferences"))["labelPreferences"]
        assert chosen["viewer"]["labelPreferences"] == preferences
        assert ("spoiler", "HIDE") in [(one["label"]["name"], one["visibility"]) for one in preferences]


def test_the_queue_of_moderators_costs_little() -> None:
    """A user has 1000 points a second. The console reads the queue when it is opened, and polls its changes."""
    source = (KIT.parents[4] / "web" / "app" / "src" / "moderation" / "queue.tsx").read_text()
    constants = dict(re.findall(r"^const (\w+) = (\d+);", source, re.MULTILINE))
    first, polled = int(constants["FIRST"]), int(constants["POLLED"])
    opened = "Moderator", "SavedQueues", "ModerationQueue", "Decisions"
    assert sum(points(name, first=first) for name in opened) <= 2500
    assert points("ModerationQueueChanges", first=first) <= 150
    assert points("ModerationQueueChanges", first=polled) <= 300


def points(operation: str, **variables: Any) -> int:
    """Returns the price of an operation of the kit."""
    return price(schema.graphql_core, parse(OPERATIONS[operation]), None, variables).cost
