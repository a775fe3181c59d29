"""Every input that takes an image or a profile picture has the same rule for its URL."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from graphql import GraphQLInputObjectType, get_named_type

from commands.users import NewUser, ensure
from settings import ImageKey, ImageSettings, Settings
from tests.support.comments import added
from tests.support.image_urls import HOME, REFUSED
from tests.support.posts import published
from tests.support.schema_paths import SCHEMA
from tests.support.stores import standalone
from tests.support.system import LIMITLESS, Person, System, running

CAT = f"{HOME}/cat.jpg"
SPELLED = "HTTPS://Images.Example.com:443/%63at.jpg"
PRODUCTION: dict[str, Any] = {
    "env": "production",
    "limits": LIMITLESS,
    "accepted_findings": ("postgres.fsync", "postgres.full_page_writes"),  # the Postgres of tests writes faster
}
LINKS = {"registerEntities.entities.url", "createWebhook.input.url"}
"""Inputs with the URL of a page, which clients show as a link, or of a webhook."""
STORED = """SELECT images::text FROM posts UNION ALL SELECT images::text FROM comment_contents
  UNION ALL SELECT concat(handle, avatar_url) FROM users ORDER BY 1"""
AVATAR = "{ viewer { user { avatarUrl } } }"


def places() -> Iterator[tuple[str, ...]]:
    """Yields the path of each input field of a mutation that takes the URL of an image or a profile picture."""
    assert SCHEMA.mutation_type
    for mutation, field in SCHEMA.mutation_type.fields.items():
        for name, argument in field.args.items():
            for path in _urls((mutation, name), get_named_type(argument.type)):
                if ".".join(path) not in LINKS:
                    yield path


def _urls(path: tuple[str, ...], type_: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(type_, GraphQLInputObjectType):
        for name, field in type_.fields.items():
            yield from _urls((*path, name), get_named_type(field.type))
    elif type_.name == "String" and path[-1].lower().endswith(("url", "image", "avatar", "picture")):
        yield path


@pytest_asyncio.fixture
async def production(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system with the settings of production and two image hosts."""
    keys = (ImageKey.model_validate({"id": "a", "secret": "k" * 32}),)
    images = ImageSettings(hosts=("images.example.com", "cdn.example.com:8443"), keys=keys)
    async with running(make_settings(**PRODUCTION, images=images)) as system:
        yield system


async def required(system: System, author: Person) -> dict[str, dict[str, Any]]:
    """Returns the other fields of the input of each mutation that takes an image or a profile picture."""
    (post,) = await published(author, "hello")
    await system.drain()
    comment = await added(author, post, "hello")
    await system.drain()
    return {
        "publishPost": {"text": "new", "topics": [], "idempotencyKey": "new"},
        "editPost": {"postId": post},
        "addComment": {"subjectId": post, "text": "new", "idempotencyKey": "new"},
        "editComment": {"commentId": comment},
        "updateProfile": {},
        "registerUsers": {"externalId": "new"},
        "upsertUsers": {"externalId": "new"},
    }


async def write(
    person: Person, path: tuple[str, ...], others: dict[str, Any], url: str, video: str = CAT
) -> list[dict[str, Any]]:
    """Sends a mutation with a URL at a path of its input. A poster gets the video at the URL `video`. Returns the user
    errors.
    """
    assert SCHEMA.mutation_type
    mutation, name, *inner = path
    type_ = SCHEMA.mutation_type.fields[mutation].args[name].type
    value: Any = url
    for field in reversed(inner):
        value = {field: value}
        if field == "posterUrl":
            value |= {"kind": "VIDEO", "url": video}
        elif field == "url" and "attachments" in path:
            value |= {"kind": "IMAGE"}
    if "idempotencyKey" in others:
        value["idempotencyKey"] = str(uuid4())
    query = f"mutation ($v: {type_}) {{ {mutation}({name}: $v) {{ userErrors {{ code field }} }} }}"
    return list((await person.ask(query, v=others | value))[mutation]["userErrors"])


@standalone
async def test_no_input_takes_an_image_that_is_not_allowed(production: System) -> None:
    author = production.person("alice", "users:write")
    others = await required(production, author)
    before = await production.rows(STORED)

    for path in places():
        for url in REFUSED:
            (error,) = await write(author, path, others[path[0]], url)
            assert (error["code"], error["field"][-1]) == ("IMAGE_NOT_ALLOWED", path[-1]), (path, url)
    await production.drain()

    assert await production.rows(STORED) == before


@standalone
async def test_every_input_stores_the_canonical_url(production: System) -> None:
    author = production.person("alice", "users:write")
    others = await required(production, author)

    for path in places():
        assert await write(author, path, others[path[0]], SPELLED) == [], path
    await production.drain()

    assert [CAT in text for (text,) in await production.rows(STORED)] == [True] * 10


@standalone
@pytest.mark.parametrize("env", ["development", "production"])
async def test_images_of_this_machine_are_allowed_in_development(
    make_settings: Callable[..., Settings], env: str
) -> None:
    async with running(make_settings(**PRODUCTION | {"env": env})) as system:
        author = system.person("alice", "users:write")
        others = await required(system, author)

        for path in places():
            local = "http://127.0.0.1:3000/cat.jpg"
            errors = await write(author, path, others[path[0]], local, video=local)
            assert [error["code"] for error in errors] == ["IMAGE_NOT_ALLOWED"] * (env == "production"), path


@standalone
async def test_avatars_have_signed_urls(production: System) -> None:
    alice = production.person("alice")
    assert await write(alice, ("updateProfile", "input", "avatarUrl"), {}, CAT) == []

    shown = (await alice.ask(AVATAR))["viewer"]["user"]["avatarUrl"]

    uri = shown.removeprefix(HOME)
    assert shown.startswith(CAT)
    assert production.state.images.verify("images.example.com", uri, production.state.now_ms())
    assert await write(alice, ("updateProfile", "input", "avatarUrl"), {}, shown) == []
    assert (await alice.ask(AVATAR))["viewer"]["user"]["avatarUrl"] == shown


@standalone
async def test_a_stored_avatar_that_is_not_allowed_now_is_not_shown(production: System) -> None:
    """Earlier versions stored avatars of any host."""
    stored = [SPELLED, *(url for url in REFUSED if "\0" not in url)]
    issuer = production.settings.issuer
    await ensure(production.state, [NewUser((issuer, f"u{i}"), [f"u{i}"], None, url) for i, url in enumerate(stored)])

    shown = [await production.person(f"u{i}").ask(AVATAR) for i in range(len(stored))]

    first, *others = [one["viewer"]["user"]["avatarUrl"] for one in shown]
    assert first.startswith(CAT)
    assert others == [None] * len(others)
