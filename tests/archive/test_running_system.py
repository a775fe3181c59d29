"""Imports while users act and workers store their changes, and imports that are killed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from runner.postgres import Postgres
from settings import Settings
from tests.archive.archives import Record, at, comment, entity, follow, load, post, reaction, users, video, write
from tests.support import citus
from tests.support.comments import added
from tests.support.outages import stopped
from tests.support.reconciliation import drift
from tests.support.stores import standalone
from tests.support.system import System

ROOT = Path(__file__).parents[2]
USERS, VIDEOS = 120, 20


def community() -> list[Record]:
    """Returns users who follow each other, posts with comments, and many reactions."""
    chance = Random(7)
    names = [f"u{i}" for i in range(USERS)]
    records = [*users(*names), *(entity(f"v{i}", owner=names[i]) for i in range(VIDEOS))]
    for i, name in enumerate(names):
        others = chance.sample([one for one in names if one != name], 15)
        records += [follow(name, other, createdAt=at(i)) for other in others]
        records += [post(f"p{i}", name, topics=["cats"], createdAt=at(i))]
        records += [comment(f"c{i}", name, video(f"v{i % VIDEOS}"), createdAt=at(i))]
        records += [comment(f"r{i}", name, video(f"v{i % VIDEOS}"), parent=f"c{i % VIDEOS}", createdAt=at(i + 1))]
        records += [reaction(name, video(f"v{j}"), createdAt=at(j)) for j in range(VIDEOS)]
        records += [reaction(name, {"post": f"p{chance.randrange(USERS)}"}, createdAt=at(i)) for _ in range(5)]
    chance.shuffle(records)
    return records


async def test_users_act_while_an_import_runs_and_their_changes_win(system: System, tmp_path: Path) -> None:
    await load(system, tmp_path, *users(*(f"u{i}" for i in range(12))), *(entity(f"v{i}") for i in range(VIDEOS)))
    worker, chance = await system.owner(), Random(3)
    people = [system.person(f"u{i}") for i in range(12)]
    wanted: dict[tuple[int, int], str] = {}
    importing = asyncio.create_task(load(system, tmp_path, *community()))

    while not importing.done() or len(wanted) < 40:
        who, what = chance.randrange(12), chance.randrange(VIDEOS)
        verb = chance.choice(["like", "unlike", "dislike"])
        await people[who].like(f"Entity:video:v{what}")
        await people[who].react(verb, f"Entity:video:v{what}")
        wanted[who, what] = verb
        await added(people[who], f"Entity:video:v{what}", f"said {len(wanted)} {time.monotonic()}")
        await worker.step()
    await importing
    await system.drain()

    assert await drift(system, repair=True) == {}
    handles: dict[int, str] = dict(await system.rows("SELECT user_id, handle FROM users"))
    keys: dict[int, str] = dict(await system.rows("SELECT entity_id, key FROM entities"))
    rows = await system.rows("SELECT user_id, entity_id, state FROM reactions")
    stored = {(handles[user], keys[entity]): state for user, entity, state in rows if entity in keys}
    states = {"like": 1, "unlike": 0, "dislike": 2}
    assert {place: stored[f"u{place[0]}", f"v{place[1]}"] for place in wanted} == {
        place: states[verb] for place, verb in wanted.items()
    }
    untouched = {(f"u{who}", f"v{what}") for who in range(USERS) for what in range(VIDEOS)} - {
        (f"u{who}", f"v{what}") for who, what in wanted
    }
    assert {stored[place] for place in untouched} == {1}
    floors = await system.rows(
        "SELECT count(*), count(DISTINCT floor), max(floor) FROM comment_contents"
        " WHERE root_id IS NULL GROUP BY subject_id"
    )
    assert all(count == distinct == most for count, distinct, most in floors)


@pytest.mark.parametrize("table", ["users", "follows", "posts", "comments", "reactions"])
async def test_an_import_that_was_killed_is_finished_by_the_next_one(
    system: System, make_settings: Callable[..., Settings], tmp_path: Path, table: str
) -> None:
    records = community()
    process = start(make_settings(), write(tmp_path / "killed.jsonl", records), tmp_path)
    while process.poll() is None and not await system.rows(f"SELECT 1 FROM {table} LIMIT 1"):  # noqa: S608 - our own name
        await asyncio.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    assert (await load(system, tmp_path, *records)).rejects == []

    tables = "users", "posts", "comment_contents", "reactions", "imports"
    counts = [len(await system.rows(f"SELECT 1 FROM {name}")) for name in tables]  # noqa: S608 - our own names
    reactions = {(one["user"], str(one["target"])) for one in records if one["kind"] == "reaction"}
    assert counts == [USERS, USERS, 2 * USERS, len(reactions), 3 * USERS]
    assert await drift(system) == {}


@standalone
@pytest.mark.skipif(citus.IS_TESTED, reason="a stopped coordinator takes long to start again")
async def test_an_import_goes_on_after_a_restart_of_postgres(
    system: System, postgres: Postgres, tmp_path: Path
) -> None:
    records = community()
    importing = asyncio.create_task(load(system, tmp_path, *records))
    while not await system.rows("SELECT 1 FROM follows LIMIT 1"):
        await asyncio.sleep(0.01)

    async with stopped(postgres, system.state.postgres):
        pass

    assert (await importing).rejects == []
    reactions = {(one["user"], str(one["target"])) for one in records if one["kind"] == "reaction"}
    assert await system.rows("SELECT count(*) FROM reactions") == [(len(reactions),)]
    assert await drift(system) == {}


def start(settings: Settings, archive: Path, folder: Path) -> "subprocess.Popen[bytes]":
    """Starts the command in a process of its own."""
    assert settings.jwt_secret
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PLAUDIT_")},
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_REDIS_MODE": settings.redis_mode,
        "PLAUDIT_ENV": "development",
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "plaudit", "import", str(archive), "--rejects", str(folder / "killed.rejects")]
    return subprocess.Popen(command, env=environment, cwd=folder)
