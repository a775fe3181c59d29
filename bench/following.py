"""Measures home pages of viewers who follow many accounts, and of viewers who follow big accounts, which have so many
followers that their posts are not written into inboxes.
"""

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from bench import asked, crowd
from bench.client import Client, connected, graphql
from bench.community import Person
from bench.home import HOME
from bench.machine import Machine
from bench.page import FOLLOWED, follow
from bench.results import Result, compared, plain
from bench.rounds import Turn, alternate
from bench.working import emptied, working
from bench.writing import PUBLISHED, publication

_FEW, _WRITTEN_EACH = 10, 5
_READERS = 4


async def measure(machine: Machine) -> list[Result]:
    """Measures pages per second, and Redis commands for a page, for four viewers: one follows few accounts, one many
    accounts, one few and big accounts, and one all of these.
    """
    async with reading(machine) as (client, pages):
        for page in pages.values():
            await client.ask(page)
        names = list(pages)
        results = [
            plain("following", f"commands of a home page: {name}", await _commands(machine, client, page))
            for name, page in pages.items()
        ]

        def turn(page: bytes) -> Turn:
            async def rate() -> float:
                return (await client.flood(itertools.repeat(page), b'"hasNextPage":true', seconds)).rate

            return rate

        seconds = machine.sizes.round_seconds
        least, *others = await alternate(machine.sizes.rounds, *map(turn, pages.values()))
    against = f"/s, against {names[0]}"
    return [
        *results,
        *[compared("following", name + against, rates, least) for name, rates in zip(names[1:], others, strict=True)],
    ]


@asynccontextmanager
async def reading(machine: Machine) -> AsyncIterator[tuple[Client, dict[str, bytes]]]:
    """Prepares the four viewers. Yields a client of the API, and the requests for their home pages, by the names of the
    viewers.
    """
    sizes, count = machine.sizes, machine.sizes.home_posts
    people = machine.community.people[: len(machine.community.people) // 2]  # no other section makes them follow others
    readers, others = people[-_READERS:], people[:-_READERS]
    few, big = others[-_FEW:], others[-_FEW - sizes.big_accounts : -_FEW]
    kinds = itertools.product((0, len(big)), (_FEW, sizes.followings))
    names = {f"{followings} followings, {many} big accounts": many > 0 for many, followings in kinds}
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connected(machine.api_port, sizes.page_connections))
        for reader, pulls in zip(readers, names.values(), strict=True):
            follows = [(reader, author) for author in (*few, *(big if pulls else ()))]
            await client.flood(map(follow, follows), FOLLOWED)
        await _write(machine, client, few, big)
        for reader in readers[1::2]:
            await crowd.follow(machine, reader.user_id, sizes.followings - _FEW)
        pages = [graphql(reader.token, HOME, {"first": count}) for reader in readers]
        yield client, dict(zip(names, pages, strict=True))


async def _write(machine: Machine, client: Client, few: Sequence[Person], big: Sequence[Person]) -> None:
    """Publishes posts of all these people, and gives the big accounts so many followers that their posts are not
    written into inboxes.
    """
    many = len(machine.community.people) + 1
    for author in big:
        await crowd.gather(machine, author.user_id, many)
    settings = machine.settings.model_copy(update={"push_follower_limit": many})
    async with working(replace(machine, settings=settings)) as worker:
        await emptied(worker)  # the follows
        for number in range(_WRITTEN_EACH):
            await client.flood(iter([publication(author, number) for author in (*few, *big)]), PUBLISHED)
        await emptied(worker)


async def _commands(machine: Machine, client: Client, page: bytes) -> int:
    await client.ask(page)  # fills the local cache
    return sum((await asked.commands(machine, client, page)).values())
