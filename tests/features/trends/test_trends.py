"""Trends: topics by the number of distinct authors, where newer posts weigh more."""

import random
from collections.abc import Callable

import pytest

from domain.versions import moment_at
from models.topics import TrendWindow, topic_id
from settings import Settings, TrendSettings
from store.content import trends
from tests.support.posts import decide, delete, publish
from tests.support.private_accounts import make_private
from tests.support.reconciliation import execute
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import LENIENT, System, running
from tests.support.topics import TRENDING, trending, write_about
from workers.topic_recounts import recount_topics

pytestmark = standalone
NAMES = "INSERT INTO topics SELECT * FROM unnest(CAST(:ids AS bigint[]), CAST(:names AS text[]))"
POSTS = """
    INSERT INTO topic_posts (topic_id, post_id, moment, score, counted, voice)
    SELECT topic_id, post_id, moment, moment, counted, voice
    FROM unnest(CAST(:topics AS bigint[]), CAST(:posts AS bigint[]), CAST(:moments AS bigint[]),
                CAST(:counted AS boolean[]), CAST(:voices AS bigint[]))
         AS w(topic_id, post_id, moment, counted, voice)
"""


async def test_topics_trend_by_the_number_of_authors(system: System) -> None:
    reader = system.person(None)
    people = await write_about(system, 5, "cats", "pets")
    await write_about(system, 4, "dogs", "pets")
    await write_about(system, 2, "mice")
    for number in range(20):
        await publish(people[0], f"more {number}", "dogs", "mice")
    await system.drain()

    assert await trending(reader) == {"pets": 9, "cats": 5, "dogs": 5, "mice": 3}
    for window in TrendWindow:
        assert await trending(reader, window=window.value, first=1) == {"pets": 9}


async def test_a_trend_equals_the_computation_over_all_posts(system: System) -> None:
    """The rows have random times, many have equal voices, and some do not count."""
    chance, now_ms = random.Random(7), system.state.now_ms()
    names = {topic_id(name): name for name in ("cats", "dogs", "mice", "birds", "fish", "bees")}
    await execute(system, NAMES, ids=list(names), names=list(names.values()))
    topics = [chance.choice([*names]) for _ in range(2000)]
    ages = [int(10 ** chance.uniform(3, 9)) for _ in topics]
    moments = [moment_at(now_ms - age) + chance.randrange(1024) for age in ages]
    counted = [chance.random() < 0.8 for _ in topics]
    voices = [chance.choice([None, *range(-5, 40)]) for _ in topics]
    values = {"topics": topics, "posts": list(range(1, 2001)), "moments": moments}
    await execute(system, POSTS, **values, counted=counted, voices=voices)

    for window in TrendWindow:
        newest: dict[int, dict[int, int]] = {topic: {} for topic in names}
        for topic, moment, counts, voice in zip(topics, moments, counted, voices, strict=True):
            if counts and voice is not None and moment > moment_at(now_ms - window.length_ms):
                newest[topic][voice] = max(newest[topic].get(voice, 0), min(moment, moment_at(now_ms)))
        half = moment_at(window.length_ms) / 4
        expected = {
            names[topic]: (len(of), pytest.approx(sum(2 ** ((one - moment_at(now_ms)) / half) for one in of.values())))
            for topic, of in newest.items()
            if len(of) >= 20
        }
        found = await trends.read(system.state.postgres, now_ms, 20, window)

        assert len(expected) > 1
        assert {one.name: (one.authors, one.score) for one in found} == expected  # type: ignore[comparison-overlap]
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


@pytest.mark.parametrize("how", ["deleted", "rejected", "private", "HIDDEN", "SHADOW"])
async def test_authors_whom_not_all_users_see_do_not_count(system: System, how: str) -> None:
    mia = moderator(system)
    ann = system.person("ann")
    post = (await publish(ann, "ann's", "cats"))["post"]["id"]
    await write_about(system, 3, "cats")

    if how == "deleted":
        await delete(ann, post)
    elif how == "rejected":
        await decide(mia, post, "REJECT")
    elif how == "private":
        await make_private(ann)
    else:
        await suspend(mia, await ann.id(), how)
    await system.drain()
    await recount_topics(system.state, lambda: True)

    for reader in (system.person(None), mia, ann):
        assert await trending(reader) == {"cats": 3}


async def test_a_topic_needs_the_least_number_of_authors(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, trends=TrendSettings(least_authors=2))) as system:
        await write_about(system, 2, "cats")
        await write_about(system, 1, "dogs")

        assert await trending(system.person(None)) == {"cats": 2}


async def test_trends_of_a_language_have_topics_in_its_scripts(make_settings: Callable[..., Settings]) -> None:
    languages = {"zh": ("Han",), "ja": ("Han", "Hiragana", "Katakana"), "en": ("Latin",)}
    async with running(
        make_settings(moderation=LENIENT, trends=TrendSettings(least_authors=1, languages=languages))
    ) as system:
        reader = system.person(None)
        await write_about(system, 1, "美食", "すし", "sushi_2", "2026", "суши")

        for language, names in (("zh", {"美食"}), ("ja", {"美食", "すし"}), ("en", {"sushi_2"})):
            assert set(await trending(reader, language=language)) == names
        assert len(await trending(reader)) == 5
        assert await reader.errors(TRENDING, language="fr") == [("BAD_INPUT", ["trendingTopics"])]


async def test_bad_arguments_are_refused(system: System) -> None:
    for bad in ({"first": 0}, {"first": 101}, {"language": "en"}):
        assert await system.person(None).errors(TRENDING, **bad) == [("BAD_INPUT", ["trendingTopics"])]
