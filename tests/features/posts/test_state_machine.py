"""Random histories of posts that are published, edited, deleted and moderated, while workers of the partitions stop,
pause and overtake each other. Authors see their own changes at once. After every drain, stores and answers agree with
the model.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from settings import Settings
from tests.support.post_harness import NAMES, PostHarness
from tests.support.post_machine import Writing, authors, moderators, partitions
from tests.support.state_machine import FIXED_HISTORIES, VERY_MANY, alive
from tests.support.system import LENIENT

posts = st.integers(0, 5)
topics = st.lists(st.sampled_from(NAMES), max_size=2, unique=True)


class PostsMachine(Writing):
    """A state machine of authors, moderators and workers."""

    harness: ClassVar[PostHarness]

    @rule(who=authors, topics=topics)
    def publish(self, who: int, topics: list[str]) -> None:
        self.run(self.harness.publish(who, topics))

    @rule(who=authors, topics=topics, also=topics, approve=st.booleans())
    def publish_and_edit_and_delete_at_once(self, who: int, topics: list[str], also: list[str], approve: bool) -> None:
        self.run(self.harness.publish(who, topics))
        self.run(self.harness.edit(-1, also, True, False))
        if approve:
            self.run(self.harness.delete(-1, False))

    @rule(which=posts)
    def publish_again(self, which: int) -> None:
        self.run(self.harness.publish_again(which))

    @rule(which=posts, topics=st.none() | topics, says_more=st.booleans(), working=st.booleans())
    def edit(self, which: int, topics: list[str] | None, says_more: bool, working: bool) -> None:
        self.run(self.harness.edit(which, topics, says_more, working))

    @rule(which=posts, working=st.booleans())
    def delete(self, which: int, working: bool) -> None:
        self.run(self.harness.delete(which, working))

    @rule(who=moderators, which=posts, approve=st.booleans())
    def judge(self, who: int, which: int, approve: bool) -> None:
        self.run(self.harness.judge(who, which, approve))

    @rule(which=posts, first=st.booleans(), topics=topics, then=partitions)
    def judge_twice_and_edit_concurrently(self, which: int, first: bool, topics: list[str], then: set[int]) -> None:
        self.run(self.harness.work())
        self.run(self.harness.judge(0, which, first))
        self.run(self.harness.judge(1, which, not first))
        self.run(self.harness.work_at(then))
        self.run(self.harness.edit(which, topics, False, False))


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[PostsMachine]]:
    """Yields a machine whose cached lists are too short for all posts."""
    settings = make_settings(moderation=LENIENT, local_cache_seconds=0)
    caches = settings.caches.model_copy(update={"posts": 4})
    with alive(PostsMachine, PostHarness, settings.model_copy(update={"caches": caches})) as machine:
        yield machine


@pytest.mark.prove
@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_every_history_of_posts_agrees_with_the_model(machine: type[PostsMachine]) -> None:
    run_state_machine_as_test(machine, settings=FIXED_HISTORIES)


@pytest.mark.prove
@pytest.mark.timeout(900)
def test_very_many_histories_of_posts_agree_with_the_model(machine: type[PostsMachine]) -> None:
    run_state_machine_as_test(machine, settings=VERY_MANY)
