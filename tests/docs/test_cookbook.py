"""Every code block of the cookbook and of the page about scalars works: operations run in their order against an API
over real stores, commands run in a shell, and TypeScript passes the compiler.
"""

import asyncio
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from graphql import OperationDefinitionNode, OperationType, parse

from settings import Settings
from settings.images import ImageSettings
from tests.support.deployment import ROOT
from tests.support.file_store import FileStore, needs_file_store
from tests.support.fixtures import file_store
from tests.support.node import needs_compiler, run
from tests.support.posts import published
from tests.support.search import stored
from tests.support.stores import standalone
from tests.support.subscriptions import Live, serving
from tests.support.system import LENIENT
from tests.support.uploads import PNG, send

__all__ = ["file_store"]

FOLDER = ROOT / "docs" / "build" / "cookbook"
RECIPES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")
SCALARS = "../scalars"
SLOW = {"import-from-disqus", "server-rendering"}
"""The recipes with commands, which take seconds to start."""
UPLOAD = "upload-a-picture"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SENDER = re.compile(r"# Sent by (?:your )?(\w+)(?: with the scopes? ([\w:, ]+))?\n")


class Step(NamedTuple):
    """A block, and the variables below an operation."""

    language: str
    text: str
    variables: dict[str, Any]


def steps(recipe: str) -> Iterator[Step]:
    """Yields the blocks of a recipe in their order."""
    blocks = BLOCK.findall((FOLDER / f"{recipe}.md").read_text(encoding="utf-8"))
    for number, (language, text) in enumerate(blocks):
        below = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
        if language == "json":
            assert blocks[number - 1][0] == "graphql", "JSON is the variables of an operation"
        else:
            yield Step(language, text, json.loads(below[1]) if (language, below[0]) == ("graphql", "json") else {})


def empty(value: object, path: str = "") -> list[str]:
    """Returns the paths of nulls and empty lists in an answer, and of user errors."""
    if isinstance(value, dict):
        return [found for name, one in value.items() for found in empty(one, f"{path}.{name}")]
    if path.endswith(".userErrors"):
        return [f"{path} = {value}"] if value else []
    if isinstance(value, list):
        return [found for one in value for found in empty(one, path)] if value else [path]
    return [path] if value is None else []


class Cook:
    """Somebody who follows a recipe."""

    def __init__(self, system: Live, folder: Path) -> None:
        self.system = system
        self._folder = folder
        self.known: dict[str, str] = {}
        """The values that stand for those in angle brackets."""

    async def follow(self, step: Step) -> None:
        if step.language == "graphql":
            await self._send(step)
        elif step.language == "sh":
            await self._run(step.text)

    async def _send(self, step: Step) -> None:
        found = SENDER.match(step.text)
        assert found, step.text
        person = self.system.person(found[1], *(found[2].split(", ") if found[2] else ()))
        variables = {name: await self._filled(value) for name, value in step.variables.items()}
        (definition,) = parse(step.text).definitions
        assert isinstance(definition, OperationDefinitionNode)
        if definition.operation is OperationType.SUBSCRIPTION:
            data = await self._delivered(step.text, found[1])
        else:
            data = await person.ask(step.text, **variables)
        assert empty(data) == [], (step.text, data)
        self._remember(data)
        if definition.operation is OperationType.MUTATION:
            await stored(self.system)

    async def _delivered(self, query: str, handle: str) -> Any:
        """Returns what a subscription delivers after a like of a post."""
        async with self.system.stream([], handle, query=query) as stream:
            await asyncio.sleep(0.2)  # until it listens
            (post,) = await published(self.system.person(handle), "another post")
            await self.system.drain()
            await self.system.person("carol").like(post)
            await self.system.drain()
            event = await stream.event()
        assert event
        assert event[0] == "next", event
        return event[1]["data"]

    async def _run(self, script: str) -> None:
        settings = self.system.settings
        assert settings.jwt_secret
        process = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", script),
            cwd=self._folder,
            env={
                "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
                "DATABASE_URL": settings.database_url,
                "REDIS_URL": settings.redis_url,
                "PLAUDIT_ENV": "development",
                "PLAUDIT_BUSINESSES_FILE": str(settings.businesses_file),
                "PLAUDIT_PARTITIONS": str(settings.partitions),
                "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        printed, _ = await process.communicate()
        assert process.returncode == 0, f"{script}\n{printed.decode()}"

    async def _filled(self, value: Any) -> Any:
        """Returns a variable with known values in place of those in angle brackets."""
        if isinstance(value, dict):
            return {name: await self._filled(one) for name, one in value.items()}
        if isinstance(value, list):
            return [await self._filled(one) for one in value]
        if not isinstance(value, str) or not value.startswith("<"):
            return value
        if value in self.known:
            return self.known[value]
        return await self.system.person(value.removeprefix("<id of ").removesuffix(">")).id()

    def _remember(self, value: Any) -> None:
        """Keeps the first cursor of an answer, and the last id of each type."""
        if isinstance(value, list):
            for one in reversed(value):
                self._remember(one)
        elif isinstance(value, dict):
            for name, one in value.items():
                if name == "id":
                    self.known[f"<id of the {one.partition(':')[0].lower()}>"] = one
                elif name in ("cursor", "fileUrl"):
                    self.known[f"<{name}>"] = one
                else:
                    self._remember(one)


async def prepare(system: Live, recipe: str, folder: Path) -> None:
    """Makes what a recipe says that there is: users, registered content, an export, notifications."""
    text = (FOLDER / f"{recipe}.md").read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"# Sent by (\w+)$", text, re.MULTILINE)) - {"your"}):
        await system.person(name).id()
    keys = {(business, key) for business, key in re.findall(r"Entity:(\w+):([\w-]+)", text)}
    keys |= {("article", "loaf")} if recipe == "server-rendering" else set()
    keys |= {("product", "kettle")} if recipe == "likes-on-products" else set()
    if recipe not in ("comments-under-articles", SCALARS):
        for business, key in sorted(keys):
            await system.videos(key, business=business)
    if recipe == "notification-bell":
        (post,) = await published(system.person("alice"), "a post")
        await system.drain()
        await system.person("bob").like(post)
        await system.drain()
    shutil.copytree(ROOT / "docs" / "operate" / "converters", folder / "converters")
    shutil.copy(ROOT / "tests" / "archive" / "exports" / "disqus.xml", folder / "export.xml")


def settings_of(make_settings: Callable[..., Settings], recipe: str, folder: Path, **more: Any) -> Settings:
    """Returns settings with the businesses of a recipe."""
    parts = [step.text for step in steps(recipe) if step.language == "toml"]
    if parts:
        (folder / "businesses.toml").write_text("\n".join(parts))
        more["businesses_file"] = folder / "businesses.toml"
    return make_settings(moderation=LENIENT, local_cache_seconds=0, port=0, **more)


@standalone
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "recipe",
    [
        pytest.param(name, marks=[pytest.mark.prove] if name in SLOW else [])
        for name in [*RECIPES, SCALARS]
        if name != UPLOAD
    ],
)
async def test_the_operations_and_commands_of_a_recipe_work(
    make_settings: Callable[..., Settings], recipe: str, tmp_path: Path
) -> None:
    async with serving(settings_of(make_settings, recipe, tmp_path)) as system:
        await prepare(system, recipe, tmp_path)
        cook, done = Cook(system, tmp_path), 0
        for step in steps(recipe):
            await cook.follow(step)
            done += step.language in ("graphql", "sh")
        assert done > 0


@standalone
@needs_file_store
@pytest.mark.timeout(180)
async def test_the_operations_of_the_recipe_for_pictures_work(
    make_settings: Callable[..., Settings], file_store: FileStore, tmp_path: Path
) -> None:
    images = ImageSettings(hosts=("images.example.com",), uploads=file_store.settings(max_bytes=5000))
    async with serving(settings_of(make_settings, UPLOAD, tmp_path, images=images)) as system:
        alice = system.person("alice")
        cook = Cook(system, tmp_path)
        create, _, publish = (step for step in steps(UPLOAD) if step.language in ("graphql", "ts"))
        await cook.follow(create)
        upload = (await alice.ask(create.text, **create.variables))["createUpload"]["upload"]
        assert await send(upload, PNG) == 200
        cook.known["<fileUrl>"] = upload["fileUrl"]
        await cook.follow(publish)


@needs_compiler
def test_the_typescript_of_the_recipes_passes_the_compiler(tmp_path: Path) -> None:
    files = []
    for recipe in RECIPES:
        for number, step in enumerate(step for step in steps(recipe) if step.language == "ts"):
            files.append(tmp_path / f"{recipe}-{number}.ts")
            files[-1].write_text(step.text)
    assert len(files) == 3

    options = (
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--lib",
        "es2024,dom,dom.asynciterable",
    )
    run(ROOT, str(ROOT / "node_modules" / ".bin" / "tsc"), *options, "--types", "", *map(str, files))


@needs_compiler
def test_the_code_generator_maps_the_scalars_as_the_page_says(tmp_path: Path) -> None:
    (config,) = (step.text for step in steps(SCALARS) if step.language == "ts")
    (tmp_path / "codegen.ts").write_text(config)
    (tmp_path / "src").mkdir()
    operation = """query One { entity(business: "video", key: "one") { id likeCount custom owner { createdAt } } }"""
    (tmp_path / "src" / "one.graphql").write_text(operation)
    shutil.copy(ROOT / "schema.graphql", tmp_path)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")

    run(tmp_path, str(ROOT / "node_modules" / ".bin" / "graphql-codegen"), "--config", "codegen.ts")

    types = (tmp_path / "src" / "generated" / "graphql.ts").read_text()
    assert "Count: { input: number; output: number; }" in types
    assert "DateTime: { input: string; output: string; }" in types
    assert "JSON: { input: Record<string, unknown>; output: Record<string, unknown>; }" in types


def test_the_list_of_recipes_is_complete() -> None:
    listed = re.findall(r"^- \[[^]]+\]\(([\w-]+)\.md\)", (FOLDER / "README.md").read_text(), re.MULTILINE)

    assert sorted(listed) == RECIPES
    assert len(RECIPES) == 15


def test_a_null_an_empty_list_and_a_user_error_are_found() -> None:
    data = {"a": {"b": None, "c": [], "userErrors": []}, "d": {"userErrors": [{"code": "X"}], "e": [1, None]}}

    assert empty(data) == [".a.b", ".a.c", ".d.userErrors = [{'code': 'X'}]", ".d.e"]
