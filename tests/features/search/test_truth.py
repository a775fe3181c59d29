"""Search finds exactly the posts that a filter over all texts finds; `plaudit search rebuild` makes the index again."""

import asyncio
import random
import re
from itertools import pairwise

from tests.support.posts import published
from tests.support.reconciliation import drift, execute
from tests.support.search import found, stored
from tests.support.stores import standalone
from tests.support.system import System
from workers import search

WORDS = ["apple", "Äpfel", "pear", "四川", "火锅", "四", "กิน", "iphone手机"]


def has(text: str, query: list[str]) -> bool:
    """Returns whether a text of these words has the parts of a query: words, or two words in quotation marks. The
    character 四 at the end of a part also finds the beginning of 四川.
    """
    said = text.split(" ")
    known = {*said, *(f'"{one} {other}"' for one, other in pairwise(said))}
    known |= {re.sub('四川("?)$', r"四\1", part) for part in known}
    return known.issuperset(query)


@standalone
async def test_search_equals_a_filter_over_all_texts(system: System) -> None:
    rng = random.Random(7)
    texts = [f"{' '.join(rng.choices(WORDS, k=5))} x{number}" for number in range(40)]
    await published(system.person("alice"), *texts)
    await stored(system)
    for _ in range(40):
        query = rng.choices(WORDS, k=rng.randint(1, 2)) + (
            [f'"{" ".join(rng.choices(WORDS, k=2))}"'] if rng.random() < 0.4 else []
        )
        right = {text for text in texts if has(text, query)}
        assert {*await found(system.person(None), " ".join(query))} == right, query


@standalone
async def test_a_rebuild_makes_the_index_again(system: System) -> None:
    await published(system.person("alice"), "apple", "pear")
    await stored(system)
    await execute(system, "DELETE FROM search_documents")
    shown = list[str]()
    rebuilding = asyncio.create_task(search.rebuild(system.settings, lambda _, __, what: shown.append(what)))
    while not rebuilding.done():
        await search.index(system.state, lambda: True)
        await asyncio.sleep(0.05)
    assert await rebuilding == 2
    assert await found(system.person(None), "apple") == ["apple"]
    assert await drift(system, "search") == {}
    assert shown[-1] == "last changes"
