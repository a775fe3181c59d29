"""A user writes at one API and reads at the other, while direct writes begin and end."""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.failures.faults.scene import started_scene
from tests.support.system import REACT, SEEN, Api, Person

pytestmark = pytest.mark.prove

ROUNDS = 3


class Author:
    """A user who likes and unlikes at one API, and reads at the other API after each acknowledgement."""

    def __init__(self, people: list[Person], video: str) -> None:
        self._people = people
        self._video = video
        self.writes = True
        self.rests = asyncio.Event()
        self.compared = 0
        self.wrong: list[str] = []

    async def work(self) -> None:
        for number, (verb, here) in enumerate(_turns(self._people)):
            if not self.writes:
                self.rests.set()
                while not self.writes:
                    await asyncio.sleep(0.05)
            await self._done(here, verb, f"turn-{number}")
            (there,) = [person for person in self._people if person is not here]
            for _ in range(4):
                await self._compare(there, "LIKE" if verb == "like" else None)
                await asyncio.sleep(0.015)

    async def _done(self, person: Person, verb: str, key: str) -> None:
        while True:
            body = await _sent(person, REACT % verb, id=self._video, key=key)
            if not body.get("errors"):
                return
            await asyncio.sleep(0.05)

    async def _compare(self, person: Person, expected: str | None) -> None:
        body = await _sent(person, SEEN, id=self._video)
        if body.get("errors") or body["extensions"].get("degraded"):
            return
        self.compared += 1
        found = body["data"]["node"]["viewerReaction"]
        if found != expected:
            self.wrong.append(f"{found} instead of {expected}")


def _turns(people: list[Person]) -> Iterator[tuple[str, Person]]:
    """Yields each verb at each API in turn."""
    return itertools.cycle(zip(["like", "unlike", "like", "unlike"], [*people, *reversed(people)], strict=True))


async def _sent(person: Person, query: str, **variables: Any) -> Any:
    try:
        return (await person.send(query, **variables)).json()
    except httpx.TransportError as error:
        return {"errors": [str(error)]}


@pytest.mark.timeout(600)
async def test_an_author_reads_at_one_api_what_the_other_has_acknowledged(tmp_path: Path) -> None:
    async with started_scene(tmp_path, "plain") as scene:
        await scene.ready()
        urls = scene.deployment.urls
        async with (
            httpx.AsyncClient(base_url=urls[0], trust_env=False, timeout=30) as first,
            httpx.AsyncClient(base_url=urls[1], trust_env=False, timeout=30) as second,
        ):
            apis = [Api(http, scene.deployment.settings) for http in (first, second)]
            (video,) = await apis[0].videos("v1")
            author = Author([api.person("alice") for api in apis], video)
            work = asyncio.create_task(author.work())
            for _ in range(ROUNDS):
                await asyncio.sleep(2)
                author.rests.clear()
                author.writes = False
                await author.rests.wait()
                await asyncio.sleep(2)  # users do not see entries that are only in a journal while Redis is down
                scene.redis.kill()
                author.writes = True
                await asyncio.sleep(6)
                await asyncio.to_thread(scene.redis.start)
                await scene.ready()
            await asyncio.sleep(2)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    assert author.wrong == []
    assert author.compared > 100
