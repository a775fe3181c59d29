"""Measures search: the time of a page among many posts, the size of the index, the speed of a worker that writes the
index, and the time that a batch of posts takes in addition to request the index.
"""

import itertools
import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from statistics import median

from sqlalchemy import text

from bench.machine import Machine
from bench.results import Result, compared, plain
from bench.rounds import alternate
from domain.moderation.verdicts import AuditStatus
from domain.search import parsed
from models.counters import EntityRef
from models.patches import PostPatch
from models.posts import PostRow
from models.search import document_of
from settings import POSTS
from store.content import outboxes, post_rows, search
from store.content.search import Search
from workers.search import index

_BATCH = 500
_WORDS, _EXPONENT, _LENGTH = 50_000, 1.0, 20
"""The number of different words, the exponent of Zipf's law by which they are distributed, and the words of a post."""
_CHARACTERS = "四川火锅的秘密成都小吃一二三天地人大小上下来去吃喝好不在有我你他"
_FIRST = 1 << 54
_QUERIES = {
    "a word of every third post": "w1",
    "a rare word": "w30000",
    "two common words": "w1 w2",
    "a common and a rare word": "w2 w20000",
    "a phrase": '"w1 w2"',
    "a pair of characters": "火锅",
    "one character": "锅",
}
_REPEATS = 20


def posts(first: int, count: int) -> Iterator[PostRow]:
    """Yields posts with random texts: words by Zipf's law, and ten Chinese characters."""
    random = Random(first)
    weights = list(itertools.accumulate(1 / rank**_EXPONENT for rank in range(1, _WORDS + 1)))
    names = [f"w{rank}" for rank in range(1, _WORDS + 1)]
    for number in range(first, first + count):
        words = random.choices(names, cum_weights=weights, k=_LENGTH)
        said = " ".join([*words, "".join(random.choices(_CHARACTERS, k=10))])
        version = (1_700_000_000_000 + number) << 20
        born = PostPatch(version, said, (), (), None, publishes=True).born(_FIRST + number, 1 + number % 1000)
        yield replace(born, status=AuditStatus.APPROVED, version=version)


async def measure(machine: Machine) -> list[Result]:
    """Measures milliseconds of the statements of a page, by the number of indexed posts; bytes of the index; documents
    per second of a worker; and milliseconds of a batch of posts, with and without the request to index.
    """
    results, stored = await _cost(machine), 0
    await index(machine.state, lambda: True)
    for size in machine.sizes.searched:
        began = time.perf_counter()
        for first in range(stored, size, _BATCH):
            documents = [document_of(row, {}) for row in posts(first, min(_BATCH, size - first))]
            async with machine.state.postgres.transaction() as transaction:
                await search.write(transaction, documents, (), ())
        rate, stored = (size - stored) / (time.perf_counter() - began), size
        await _analyse(machine)
        results.append(plain("search", f"documents/s that a worker indexes, up to {size:,} posts", rate))
        ((bytes_,),) = await machine.state.postgres.read(text("SELECT pg_total_relation_size('search_documents')"))
        results.append(plain("search", f"bytes for a post in an index of {size:,}", bytes_ / size))
        for name, query in _QUERIES.items():
            for what, seconds in (await _times(machine, query)).items():
                results.append(plain("search", f"µs, {what}, {name}, {size:,} posts", seconds * 1e6))
    return results


async def _analyse(machine: Machine) -> None:
    async with machine.state.postgres.transaction() as transaction:
        await transaction.execute(text("ANALYZE search_documents"))


async def _times(machine: Machine, query: str) -> dict[str, float]:
    words = " & ".join(phrase.sql() for phrase in parsed(query).phrases)
    asked = Search(POSTS, words, words, 0, 1 << 62)
    newest, best = list[float](), list[float]()
    for _ in range(_REPEATS):
        began = time.perf_counter()
        await search.newest(machine.state.postgres, asked, None, 21)
        between = time.perf_counter()
        await search.ranked(machine.state.postgres, asked)
        newest.append(between - began)
        best.append(time.perf_counter() - between)
    return {"newest": median(newest), "best": median(best)}


async def _cost(machine: Machine) -> list[Result]:
    """Measures batches of posts that are written with and without the request to index them."""
    number = itertools.count(10_000_000, _BATCH)

    async def turn(*, asks: bool) -> float:
        rows = list(posts(next(number), _BATCH))
        began = time.perf_counter()
        async with machine.state.postgres.transaction() as transaction:
            await post_rows.write(transaction, [(row, None) for row in rows])
            await outboxes.write(transaction, rows)
            if asks:
                await search.ask(transaction, [(EntityRef(POSTS, row.post_id), row.version) for row in rows])
        return (time.perf_counter() - began) * 1000

    with_, without = await alternate(machine.sizes.rounds * 4, lambda: turn(asks=True), lambda: turn(asks=False))
    return [
        compared("search", "ms, rows and outboxes of 500 posts, with the request to index", with_, without, None, 1.1)
    ]
