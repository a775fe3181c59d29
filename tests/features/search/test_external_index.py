"""The program of the guide that keeps an index of posts in another search engine."""

import asyncio
import random
import sys
from pathlib import Path

from tests.support.guide import FOLDER, example
from tests.support.outgoing import received, send_all, to_stream
from tests.support.posts import DELETE, edit, published
from tests.support.search import found, stored
from tests.support.stores import standalone
from tests.support.system import System

KINDS = "post.created", "post.updated", "post.deleted"


@standalone
async def test_the_external_index_finds_what_search_finds_at_quiet_points(system: System) -> None:
    rng, alice, index = random.Random(7), system.person("alice"), example("search_index").SearchIndex(":memory:")
    await to_stream(system, *KINDS)
    ids, seen = list[str](), 0
    for turn in range(6):
        ids += await published(alice, *(f"{rng.choice(['apple', 'pear'])} {turn} {n}" for n in range(3)))
        await edit(alice, rng.choice(ids), text=f"{rng.choice(['apple', 'pear'])} edited {turn}")
        await alice.ask(DELETE, id=ids.pop(rng.randrange(len(ids))))
        await stored(system)
        events = await received(system)
        for place, event in [*enumerate(events)][max(0, seen - 3) :]:  # at least once
            index.apply(event, str(place))
        seen = len(events)
        for word in ("apple", "pear"):
            texts = await found(system.person(None), word)
            assert len(index.find(word)) == len(texts)
    index.close()
    assert seen >= 20


@standalone
async def test_the_program_goes_on_after_a_restart(system: System, tmp_path: Path) -> None:
    alice, file = system.person("alice"), str(tmp_path / "index")
    await to_stream(system, *KINDS)
    command = sys.executable, str(FOLDER / "search_index.py"), system.settings.redis_url, "stream", file
    index = example("search_index").SearchIndex(file)
    for number, text in enumerate(("四川火锅的秘密", "a second hotpot"), 1):
        await published(alice, text)
        await system.drain()
        await send_all(system)
        program = await asyncio.create_subprocess_exec(*command)
        try:
            async with asyncio.timeout(30):
                while not index.find(text):
                    await asyncio.sleep(0.05)
        finally:
            program.kill()
            await program.wait()
        assert len(index.find("")) == number
    assert index.position != "0"
    index.close()
