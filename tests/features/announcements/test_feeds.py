"""Entities of a business with `in_feeds` come into all lists of posts."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.announcements import MOST_PER_HOUR
from settings import Settings
from settings.moderation import PremoderationSettings
from store.content import announcements
from store.postgres.client import PostgresDown
from tests.features.announcements.recipes import (
    BUSINESSES,
    NODE,
    OWNERS,
    REGISTER,
    change,
    finish,
    posts_of,
    register,
    service,
    take_away,
    titles,
)
from tests.support.costs import cost
from tests.support.deletions import delete as delete_account
from tests.support.deletions import finish as finish_deletion
from tests.support.follows import follow
from tests.support.posts import HOME, delete, edit, home, on_square, publish, seen, under_topic
from tests.support.reconciliation import dismiss, drift, execute
from tests.support.removing import remove
from tests.support.stored_state import unchanged
from tests.support.system import LENIENT, Person, System, running
from workers.announcements import announce
from workers.bells import ring

HOT = "{ square(sort: HOT) { nodes { id text } } }"
RECOMMENDED = "{ viewer { recommended { nodes { text } } } }"
BELL = "mutation ($id: ID!) { setPostNotifications(input: {userId: $id, enabled: true}) { userErrors { code } } }"


async def follower(system: System, *names: str) -> Person:
    """Returns a person who follows these users."""
    person = system.person("fay")
    await follow(person, *[await system.person(name).id() for name in names])
    await system.drain()
    return person


async def test_a_registered_entity_comes_into_home_profile_square_and_recommended(system: System) -> None:
    fay = await follower(system, "olga")
    await home(fay)  # fills the inbox, so that the post is pushed
    (recipe,) = await register(system, "soup")

    (post,) = await posts_of(system)
    assert (post["text"], post["announcesEntity"], post["entity"]["id"]) == ("soup", True, recipe)
    assert (post["auditStatus"], post["author"]) == ("APPROVED", {"handle": "olga"})
    assert await home(fay) == ["soup"]
    assert await on_square(fay) == ["soup"]
    assert [one["text"] for one in (await fay.ask(HOT))["square"]["nodes"]] == ["soup"]
    assert (await fay.ask(RECOMMENDED))["viewer"]["recommended"]["nodes"] == [{"text": "soup"}]
    assert await drift(system) == {}


async def test_home_reads_the_announcements_of_big_accounts_from_their_own_lists(in_feeds: Settings) -> None:
    async with running(in_feeds.model_copy(update={"push_follower_limit": 1})) as system:
        fay = await follower(system, "olga")
        await register(system, "soup")
        assert await system.rows("SELECT pushed FROM outboxes") == [(False,)]
        assert await home(fay) == ["soup"]


@pytest.mark.parametrize(
    ("business", "owner", "fields"), [("video", "olga", {}), ("recipe", None, {}), ("recipe", "olga", {"title": None})]
)
async def test_without_the_setting_an_owner_and_a_title_nothing_is_announced(
    system: System, business: str, owner: str | None, fields: dict[str, Any]
) -> None:
    await register(system, "soup", business=business, owner=owner, **fields)
    assert await system.rows("SELECT * FROM announcements") == await system.rows("SELECT * FROM posts") == []


async def test_a_repeated_registration_announces_nothing_again(system: System) -> None:
    for _ in range(3):
        await register(system, "soup", "stew")
    await asyncio.gather(*[service(system).ask(REGISTER, e=[recipe_of("pie")]) for _ in range(5)])
    await finish(system)
    assert sorted(await titles(system)) == ["pie", "soup", "stew"]


def recipe_of(key: str, owner: str = "olga") -> dict[str, Any]:
    return {"business": "recipe", "key": key, "title": key, "owner": {"externalId": owner}}


async def test_a_new_title_becomes_the_text_of_the_post(system: System) -> None:
    await register(system, "soup")
    (before,) = await posts_of(system)
    await change(system, "soup", title="onion soup")
    (after,) = await posts_of(system)
    assert (after["id"], after["text"]) == (before["id"], "onion soup")
    await change(system, "soup", title=None)
    assert await titles(system) == ["onion soup"]
    await change(system, "soup", title="soup", url="https://example.com/soup")
    assert [(one["id"], one["text"]) for one in await posts_of(system)] == [(before["id"], "soup")]


async def test_an_owner_that_comes_later_announces_the_entity(system: System) -> None:
    await register(system, "soup", owner=None)
    await register(system, "soup")
    assert await titles(system) == ["soup"]


async def test_with_another_owner_the_post_moves_to_the_other_profile(system: System) -> None:
    fay = await follower(system, "olga", "pit")
    (recipe,) = await register(system, "soup")
    (before,) = await posts_of(system)
    await register(system, "soup", owner="pit")
    (after,) = await posts_of(system, "pit")
    assert after["id"] != before["id"]
    assert after["entity"]["id"] == recipe
    assert await titles(system) == []
    assert await home(fay) == ["soup"]
    await register(system, "soup")
    assert (await titles(system), await titles(system, "pit")) == (["soup"], [])
    await change(system, "soup", owner=None)
    assert await titles(system) == []


async def test_a_removed_entity_leaves_the_feeds_and_a_restored_one_is_announced_anew(system: System) -> None:
    fay = await follower(system, "olga")
    (recipe,) = await register(system, "soup")
    await fay.like(recipe)
    await take_away(system, recipe)
    assert await system.rows("SELECT text, deleted FROM posts") == [("", True)]
    assert await titles(system) == await home(fay) == await on_square(fay) == []

    await register(system, "soup")

    (post,) = await posts_of(system)
    assert (post["text"], post["likeCount"]) == ("soup", 1)
    assert await home(fay) == ["soup"]
    assert await drift(system) == {}


async def test_an_entity_whose_rows_are_removed_leaves_the_feeds(system: System) -> None:
    (recipe,) = await register(system, "soup")
    await remove(service(system), recipe)
    await execute(system, "DELETE FROM entities", "DELETE FROM entity_keys")
    await finish(system)
    assert await titles(system) == []
    await register(system, "soup")
    assert await titles(system) == ["soup"]


@pytest.mark.parametrize("mode", ["ANONYMIZE", "ERASE"])
async def test_nothing_announces_what_a_deleted_user_owned(system: System, mode: str) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    olga = system.person("olga")
    number = (await olga.id()).removeprefix("User:")
    await publish(olga, "by hand")
    await system.drain()
    await delete_account(olga, mode)
    await finish_deletion(system)
    await finish(system)

    reader = system.person("reader")
    assert await seen(reader, post["id"]) is None
    assert await on_square(reader) == (["by hand"] if mode == "ANONYMIZE" else [])
    assert (await reader.ask(NODE, id=recipe))["node"] == {}
    assert (
        await system.rows("SELECT 1 FROM announcements WHERE NOT withdrawn AND author_id = :id", id=int(number)) == []
    )


async def test_the_row_of_a_withdrawn_announcement_is_removed_after_an_hour(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (recipe,) = await register(system, "soup")
    await take_away(system, recipe)
    assert [row[5] for row in await system.rows("SELECT * FROM announcements")] == [True]
    assert await announce(system.state, lambda: True) == 0
    monkeypatch.setattr(announcements, "HOUR_MS", -1000)
    await finish(system)
    assert await system.rows("SELECT * FROM announcements") == []


async def test_a_bulk_registration_announces_a_few_entities_of_each_owner(system: System) -> None:
    keys = [f"r{n:03}" for n in range(60)]
    await register(system, *keys)
    assert await titles(system) == sorted(keys[:MOST_PER_HOUR], reverse=True)
    await register(system, "another")
    await register(system, "of-pit", owner="pit")
    assert len(await titles(system)) == MOST_PER_HOUR
    assert await titles(system, "pit") == ["of-pit"]
    await execute(system, "UPDATE announcements SET announced_ms = announced_ms - 3600001")
    await register(system, "later")
    assert (await titles(system))[0] == "later"


async def test_a_deleted_announcement_stays_deleted_and_the_entity_stays(system: System) -> None:
    (recipe,) = await register(system, "soup")
    (post,) = await posts_of(system)
    olga = system.person("olga")
    assert (await delete(olga, post["id"]))["userErrors"] == []
    await system.drain()
    await change(system, "soup", title="new soup")
    assert await titles(system) == []
    assert (await olga.ask("query ($id: ID!) { node(id: $id) { id } }", id=recipe))["node"] == {"id": recipe}


async def test_an_owner_cannot_edit_the_announcement(system: System) -> None:
    await register(system, "soup")
    (post,) = await posts_of(system)
    assert (await edit(system.person("olga"), post["id"], text="mine"))["userErrors"][0]["code"] == "NOT_ALLOWED"
    assert await titles(system) == ["soup"]


@pytest.mark.parametrize(("business", "status"), [("recipe", "PENDING"), ("clip", "APPROVED")])
async def test_announcements_are_moderated_unless_the_business_is_not(
    make_settings: Callable[..., Settings], tmp_path: Path, business: str, status: str
) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(BUSINESSES)
    waiting = PremoderationSettings(businesses=("post",))
    moderation = LENIENT.model_copy(update={"premoderate": waiting})
    settings = make_settings(moderation=moderation, local_cache_seconds=0, businesses_file=file)
    async with running(settings) as system:
        await register(system, "soup", business=business)
        assert [post["auditStatus"] for post in await posts_of(system, reader="olga")] == [status]


async def test_a_business_that_is_switched_off_hides_its_announcements_until_it_is_switched_on(
    in_feeds: Settings,
) -> None:
    off = in_feeds.businesses_file.with_name("off.toml")
    off.write_text(BUSINESSES.replace("in_feeds = true\n", ""))
    without = in_feeds.model_copy(update={"businesses_file": off})
    async with running(without) as system:
        await register(system, "old")
        await dismiss(system)
    async with running(in_feeds) as system:
        fay = await follower(system, "olga")
        assert await titles(system) == []
        await change(system, "old", title="an old title")
        await register(system, "soup", "stew")
        assert await titles(system) == await home(fay) == ["stew", "soup"]
        (post, _) = await posts_of(system)
        await dismiss(system)
    async with running(without) as system:
        fay = system.person("fay")
        assert await titles(system) == await home(fay) == await on_square(fay) == []
        assert await seen(fay, post["id"]) is None
        await take_away(system, "Entity:recipe:soup")
        await register(system, "third")
        await dismiss(system)
    async with running(in_feeds) as system:
        await finish(system)
        assert await titles(system) == await home(system.person("fay")) == ["stew"]


async def test_hot_posts_are_ordered_by_the_likes_of_the_announced_entities(system: System) -> None:
    soup, _ = await register(system, "soup", "stew")
    await publish(system.person("olga"), "a post")
    await system.drain()
    reader = system.person("reader")
    assert [one["text"] for one in (await reader.ask(HOT))["square"]["nodes"]] == ["a post", "stew", "soup"]

    for name in ("a", "b", "c"):
        await system.person(name).like(soup)
    await system.drain()

    assert [one["text"] for one in (await reader.ask(HOT))["square"]["nodes"]] == ["soup", "a post", "stew"]
    await system.empty_redis()
    assert [one["text"] for one in (await reader.ask(HOT))["square"]["nodes"]] == ["soup", "a post", "stew"]


async def test_what_the_viewer_has_liked_is_not_recommended(system: System) -> None:
    soup, _ = await register(system, "soup", "stew")
    fay = system.person("fay")
    await fay.like(soup)
    await system.drain()
    assert (await fay.ask(RECOMMENDED))["viewer"]["recommended"]["nodes"] == [{"text": "stew"}]


async def test_a_page_with_announcements_costs_what_a_page_of_posts_costs(system: System) -> None:
    fay = await follower(system, "olga")
    await publish(system.person("olga"), "a post")
    await system.drain()
    await fay.ask(HOME, first=20)
    before = await cost(fay, HOME, first=20)
    await register(system, "soup")
    await fay.ask(HOME, first=20)
    assert await cost(fay, HOME, first=20) == before


async def test_a_journal_that_is_full_delays_announcements(system: System) -> None:
    state = system.state
    stopped = replace(state, patches=type(state.patches)(state.redis, state.keys, 0))
    await register(system, "first")
    await service(system).ask(REGISTER, e=[recipe_of("soup")])
    assert await announce(stopped, lambda: True) == 0
    assert await announce(state, lambda: False) == 0
    await finish(system)
    assert await titles(system) == ["soup", "first"]


async def test_the_topics_of_an_entity_list_its_announcement(system: System) -> None:
    await register(system, "soup", topics=["Winter", "#onions"])
    reader = system.person("reader")
    assert await under_topic(reader, "winter") == await under_topic(reader, "onions") == ["soup"]
    await change(system, "soup", url="https://example.com/soup")
    await change(system, "soup", topics=["onions", "leek"])
    shown = [await under_topic(reader, name) for name in ("winter", "onions", "leek")]
    assert shown == [[], ["soup"], ["soup"]]
    topics = '{ entity(business: "recipe", key: "soup") { topics { name } } }'
    assert (await reader.ask(topics))["entity"] == {"topics": [{"name": "onions"}, {"name": "leek"}]}
    await change(system, "soup", topics=None)
    assert (await reader.ask(topics))["entity"] == {"topics": []}
    assert await under_topic(reader, "leek") == []
    assert await drift(system) == {}


@pytest.mark.parametrize(
    ("topics", "code", "field"), [(["no topic"], "TOPIC_INVALID", ["0"]), (["a"] * 11, "TOO_MANY_TOPICS", [])]
)
async def test_invalid_topics_are_refused(system: System, topics: list[str], code: str, field: list[str]) -> None:
    for person in (system.person("olga"), service(system)):
        await person.id()
    async with unchanged(system):
        payload = await service(system).ask(REGISTER, e=[{**recipe_of("soup"), "topics": topics}])
    assert payload["registerEntities"]["userErrors"] == [{"code": code, "field": ["entities", "0", "topics", *field]}]


async def test_a_worker_that_dies_before_it_stores_its_progress_does_no_harm(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> None:
        raise PostgresDown

    await service(system).ask(OWNERS, u=[{"externalId": "olga", "handle": "olga"}])
    await service(system).ask(REGISTER, e=[recipe_of("soup")])
    for title in ("soup", "onion soup"):
        await service(system).ask(REGISTER, e=[{**recipe_of("soup"), "title": title}])
        with monkeypatch.context() as patched:
            patched.setattr(announcements, "done", die)
            for _ in range(2):
                with pytest.raises(PostgresDown):
                    await announce(system.state, lambda: True)
                await system.drain()
        assert await titles(system) == [title]
    await finish(system)
    assert await titles(system) == ["onion soup"]
    assert await system.rows("SELECT wanted, shown FROM announcements") == [(2, 2)]
    assert await drift(system) == {}


async def test_services_that_change_the_owner_at_once_leave_one_announcement(system: System) -> None:
    await register(system, "soup")
    await register(system, "stew", owner="pit")
    changes = [recipe_of("soup", owner) for owner in ("olga", "pit") * 6]
    await asyncio.gather(*[service(system).ask(REGISTER, e=[change]) for change in changes])
    await finish(system)
    ((owner_id,),) = await system.rows("SELECT owner_id FROM entities WHERE key = 'soup'")
    ((owner,),) = await system.rows(f"SELECT handle FROM users WHERE user_id = {owner_id}")  # noqa: S608 - a number
    other = "pit" if owner == "olga" else "olga"
    assert "soup" in await titles(system, owner)
    assert "soup" not in await titles(system, other)
    assert await system.rows("SELECT count(*) FROM announcements WHERE NOT withdrawn") == [(2,)]


async def test_followers_with_a_bell_are_notified_of_a_new_entity(system: System) -> None:
    fay = await follower(system, "olga")
    await fay.ask(BELL, id=await system.person("olga").id())
    await register(system, "soup")
    while await ring(system.state, lambda: True):
        pass
    told = "{ viewer { notifications { nodes { kind message subject { ... on Post { entity { key } } } } } } }"
    (one,) = (await fay.ask(told))["viewer"]["notifications"]["nodes"]
    assert one == {
        "kind": "NEW_POST",
        "message": "olga published a new recipe.",
        "subject": {"entity": {"key": "soup"}},
    }
