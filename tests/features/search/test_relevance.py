"""A judged set of queries over the texts of the demo data: how many of the first five posts are right."""

from dataclasses import replace

import pytest

from domain.ids import UserId, parse_id
from domain.moderation.verdicts import AuditStatus
from models.patches import PostPatch
from seed.community import Community
from store.content import post_rows, search
from tests.support.search import POSTS, stored
from tests.support.stores import standalone
from tests.support.system import System

JUDGED = {
    "sourdough": "sourdough",
    "night train": "night train",
    "ring nebula": "ring nebula",
    "summer book": "summer book",
    "blue train": "blue train",
    "first snow": "first snow",
    "memory leak": "memory leak",
    '"race condition"': "race condition",
    "old bathtub": "old bathtub",
    "nikon rain": "nikon",
    "red bicycle": "red bicycle",
    "红烧肉": "红烧肉",
    "牛肉": "兰州牛肉面",
    "豆腐": "麻婆豆腐",
    "西湖": "西湖边",
    "三体": "《三体》",
    "末班车": "末班车",
    "sourdouhg": "sourdough",
    "tomatos": "tomatoes",
    "deraileur": "derailleur",
    "strawberies bucket": "strawberries",
    "satrun": "saturn",
    "Straße sourdough": None,
}
"""By query, the words that a right answer has one after the other; None if nothing is right. The last ones have a wrong
letter.
"""


async def _precision(system: System, sort: str) -> float:
    """Returns the mean share of right answers among the first five, or of empty answers if nothing is right."""
    shares = []
    for query, right in JUDGED.items():
        page = (await system.person(None).ask(POSTS, words=query, sort=sort, first=5))["found"]
        texts = [node["text"].casefold() for node in page["nodes"]]
        shares.append(float(not texts) if right is None else sum(right in text for text in texts) / max(len(texts), 1))
    return sum(shares) / len(shares)


@standalone
@pytest.mark.timeout(180)
async def test_the_order_best_has_more_right_answers_than_the_newest_matches(system: System) -> None:
    author = parse_id(await system.person("alice").id())
    assert isinstance(author, UserId)
    now = system.state.now_ms()
    async with system.state.postgres.transaction() as transaction:
        rows = []
        for number, post in enumerate(Community().posts):
            born = PostPatch(now - post.age << 20, post.text, (), (), None, publishes=True).born(7 + number, author.id)
            rows.append(replace(born, status=AuditStatus.APPROVED, version=born.content_version))
        await post_rows.write(transaction, [(row, None) for row in rows])
        await search.ask(transaction, [(row.ref, row.version) for row in rows])
    await stored(system)
    newest, best = await _precision(system, "NEWEST"), await _precision(system, "BEST")
    print(f"precision at 5: {newest:.2f} newest, {best:.2f} best")
    assert newest < best
    assert best >= 0.95
