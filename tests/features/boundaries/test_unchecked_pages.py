"""How many pages leave content out while a store is down, because the viewer's blocks cannot be checked.

docs/operate/degrade.md has the counts that the test prints.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from loaders.boundaries import ViewerBoundaries
from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from tests.support.boundaries import block
from tests.support.comments import add
from tests.support.fallback_mode import begin, end
from tests.support.follows import follow
from tests.support.outages import stopped
from tests.support.posts import published
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

VIEWERS = 20
PAGES = {
    "home": "{ viewer { home { nodes { id text author { handle } } } } }",
    "square": "{ square { nodes { id text author { handle } } } }",
    "comments": """query ($id: ID!) { node(id: $id) { ... on Post {
      comments(sort: NEWEST) { nodes { id text author { handle } } } } } }""",
}
MANY_BLOCKERS = """INSERT INTO blocked_by SELECT u.user_id, 10000000 + n, true, 1::bigint << 60
  FROM users u, generate_series(1, 3000) n WHERE u.handle LIKE 'viewer%'"""


class Lost(NamedTuple):
    """The numbers of pages that leave content out, and of those of them whose viewers' blocks could not be checked."""

    pages: int
    unchecked: int


@dataclass
class Readers:
    """Viewers, who each block one user, and the pages that they read before the outage."""

    system: System
    people: dict[int, Person]
    post: str
    before: dict[tuple[int, str], Any]

    async def read(self) -> dict[tuple[int, str], Any]:
        """Returns what each viewer is shown of each page."""
        return {(user, name): await self._page(user, name) for name in PAGES for user in self.people}

    async def _page(self, user: int, name: str) -> Any:
        variables = {"id": self.post} if name == "comments" else {}
        return (await self.people[user].send(PAGES[name], **variables)).json()["data"]

    async def lost(self) -> Lost:
        """Reads all pages, and counts those that leave content out."""
        unchecked: set[int] = set()
        with recording(unchecked):
            now = await self.read()
        pages = [page for page, data in now.items() if data != self.before[page]]
        return Lost(len(pages), sum(user in unchecked for user, _ in pages))

    def forget_in_process(self) -> None:
        """Forgets what the process remembers of blocks, as if it had just started."""
        self.system.state.boundaries._known.clear()


@contextmanager
def recording(unchecked: set[int]) -> Iterator[None]:
    """Adds the viewers whose blocks cannot be checked while the block runs."""
    with pytest.MonkeyPatch.context() as patches:
        for name in ("get", "_blockers_among"):
            patches.setattr(ViewerBoundaries, name, _recorded(getattr(ViewerBoundaries, name), unchecked))
        yield


def _recorded(original: Any, unchecked: set[int]) -> Any:
    async def call(boundaries: ViewerBoundaries, *args: Any) -> Any:
        try:
            return await original(boundaries, *args)
        except Exception:
            assert boundaries.viewer_id
            unchecked.add(boundaries.viewer_id)
            raise

    return call


async def readers_of(system: System, *, many: bool) -> Readers:
    """Returns viewers who have read all pages. With `many`, 3000 users block each of them."""
    bob, carol = system.person("bob"), system.person("carol")
    b, c = await bob.id(), await carol.id()
    people = [system.person(f"viewer{number}") for number in range(VIEWERS)]
    ids = [int((await person.id()).partition(":")[2]) for person in people]
    for person in people:
        await follow(person, b)
        await block(person, c)
        await person.ask(PAGES["home"])
    (post, *_) = await published(bob, *(f"post {number}" for number in range(5)))
    await published(carol, "a post of a blocked user")
    await system.drain()
    for author in (bob, carol):
        await add(author, post, f"{author.handle}'s comment")
    await system.drain()
    if many:
        await execute(system, MANY_BLOCKERS)
        await system.state.boundaries.forget(ids)
    readers = Readers(system, dict(zip(ids, people, strict=True)), post, {})
    for _ in range(2):
        readers.before = await readers.read()
    return readers


@asynccontextmanager
async def away(system: System, *servers: Postgres | Valkey) -> AsyncIterator[None]:
    """Stops servers while the block runs."""
    async with AsyncExitStack() as stack:
        for server in servers:
            store = system.state.postgres if isinstance(server, Postgres) else system.state.redis
            await stack.enter_async_context(stopped(server, store))
        yield


async def measured(system: System, postgres: Postgres, valkey: Valkey, *, many: bool) -> dict[str, Lost]:
    """Returns how many pages are lost in each outage."""
    readers, found = await readers_of(system, many=many), dict[str, Lost]()
    async with away(system, postgres):
        found["Postgres, blocks cached"] = await readers.lost()
        readers.forget_in_process()
        found["Postgres, blocks cached in Redis only"] = await readers.lost()
        await system.state.boundaries.forget(readers.people)
        found["Postgres, blocks not cached"] = await readers.lost()
    await readers.read()
    async with away(system, valkey):
        found["Redis, in the first seconds"] = await readers.lost()
        await begin(system)
        found["Redis, writes are direct"] = await readers.lost()
    await end(system)
    async with away(system, postgres, valkey):
        found["both"] = await readers.lost()
    return found


@standalone
@pytest.mark.prove
@pytest.mark.timeout(120)
@pytest.mark.parametrize("many", [False, True], ids=["few blockers", "many blockers"])
async def test_pages_are_lost_only_if_no_store_knows_the_blocks(
    make_settings: Callable[..., Settings], postgres: Postgres, valkey: Valkey, many: bool
) -> None:
    async with running(make_settings(limits=LIMITLESS, moderation=LENIENT)) as system:
        found = await measured(system, postgres, valkey, many=many)

    total = VIEWERS * len(PAGES)
    for outage, lost in found.items():
        print(f"| {outage} | {lost.pages} of {total} | {lost.unchecked} of {total} |")
    assert found == {
        "Postgres, blocks cached": Lost(0, 0),
        "Postgres, blocks cached in Redis only": Lost(0, 0),
        "Postgres, blocks not cached": Lost(total, total),
        "Redis, in the first seconds": Lost(total, 0),
        "Redis, writes are direct": Lost(0, 0),
        "both": Lost(total, 0),  # no content can be read that would have to be checked
    }
