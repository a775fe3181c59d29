"""The rows that trends, typeahead and search read, among many topics."""

from sqlalchemy import TextClause

from domain.versions import moment_at
from models.topics import TrendWindow
from store.content import topic_search, trends
from tests.support.citus import one_server
from tests.support.plans import LARGE, reads
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = standalone
MANY, MINUTES = 5000, 12_000
TOPICS = f"""
    INSERT INTO topics SELECT n, substr(md5(n::text), 1, 12) || '_' || n FROM generate_series(1, {MANY}) AS n
"""  # noqa: S608 - a constant
COUNTERS = f"""
    INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT 3, n, 9, 1 + n % 100, 1 FROM generate_series(1, {MANY}) AS n
"""  # noqa: S608 - a constant
PLACES = f"""
    INSERT INTO topic_posts (topic_id, post_id, moment, score, voice)
    SELECT n % 1000 + 1, n, :now - CAST(n AS bigint) * 1024 * 60000, 0, n FROM generate_series(1, {MINUTES}) AS n
"""  # noqa: S608 - a constant


async def many(system: System, now_ms: int) -> None:
    """Stores many topics with counters, and a post in each minute before `now_ms`."""
    await execute(system, TOPICS)
    await execute(system, COUNTERS)
    await execute(system, PLACES, now=moment_at(now_ms))
    await execute(system, "ANALYZE topics", "ANALYZE counters", "ANALYZE topic_posts")


async def read_rows(system: System, statement: TextClause, **parameters: object) -> int:
    """Returns how many rows of topics a statement reads."""
    return (await reads(system, statement, "topics", without=LARGE, **parameters)).rows


@one_server
async def test_a_trend_reads_the_posts_of_its_window_only(system: System) -> None:
    now_ms = system.state.now_ms()
    await many(system, now_ms)

    for window, minutes in ((TrendWindow.HOUR, 60), (TrendWindow.DAY, 1440), (TrendWindow.WEEK, 10_080)):
        now, length = moment_at(now_ms), moment_at(window.length_ms)
        read = await reads(
            system, trends._READ, "topic_posts", without=LARGE, now=now, since=now - length, half=length / 4, least=3
        )
        assert minutes - 2 <= read.rows <= minutes + 1


async def test_typeahead_and_search_read_few_of_many_topics(system: System) -> None:
    await many(system, system.state.now_ms())

    typed = {"begin": "abc", "end": "abc\U0010ffff", "short": False}
    assert await read_rows(system, topic_search._TYPED, **typed) < 30
    word = {"begin": "abc12", "end": "abc12\U0010ffff", "patterns": ["%abc12%"], "longest": "%abc12%"}
    more = {"joined": "abc12", "text": "abc12", "short": False, "with_held": False, "score": 1 << 40, "member": 0}
    assert await read_rows(system, topic_search._SEARCH, **word, **more, count=20) < 300
