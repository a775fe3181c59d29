"""Random histories of comments that are written, edited, pinned, deleted and moderated, and of policies that decide who
may comment, while workers of the partitions stop, pause and overtake each other. Users see their own changes at once.
After every drain, stores and answers agree with the model.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from settings import Settings
from tests.features.comments.harness import CommentHarness
from tests.features.comments.model import POLICIES
from tests.support.post_machine import Writing, authors, moderators, partitions
from tests.support.state_machine import FIXED_HISTORIES, VERY_MANY, alive
from tests.support.system import LENIENT

comments = st.integers(0, 7)


class CommentsMachine(Writing):
    """A state machine of users who comment, moderators and workers."""

    harness: ClassVar[CommentHarness]

    @rule(who=authors, about=st.integers(0, 1))
    def comment(self, who: int, about: int) -> None:
        self.run(self.harness.comment(who, about, None))

    @rule(who=authors, about=st.integers(0, 1), to=comments)
    def reply(self, who: int, about: int, to: int) -> None:
        self.run(self.harness.comment(who, about, to))

    @rule(who=authors, about=st.integers(0, 1), others=st.lists(authors, min_size=1, max_size=3))
    def talk(self, who: int, about: int, others: list[int]) -> None:
        """Publishes a comment and adds replies to this comment."""
        self.run(self.harness.comment(who, about, None))
        self.run(self.harness.handle_all())
        for other in others:
            self.run(self.harness.comment(other, about, -1))

    @rule(which=comments)
    def comment_again(self, which: int) -> None:
        self.run(self.harness.comment_again(which))

    @rule(which=comments, says_more=st.booleans(), working=st.booleans())
    def edit(self, which: int, says_more: bool, working: bool) -> None:
        self.run(self.harness.edit_comment(which, says_more, working))

    @rule(which=comments, first=st.booleans(), then=partitions)
    def judge_twice_and_edit_concurrently(self, which: int, first: bool, then: set[int]) -> None:
        self.run(self.harness.work())
        self.run(self.harness.judge(0, which, first))
        self.run(self.harness.judge(1, which, not first))
        self.run(self.harness.work_at(then))
        self.run(self.harness.edit_comment(which, True, False))

    @rule(about=st.integers(0, 1), policy=st.sampled_from(POLICIES))
    def set_policy(self, about: int, policy: str) -> None:
        self.run(self.harness.set_policy(about, policy))

    @rule(who=authors, about=st.integers(0, 1), policy=st.sampled_from(POLICIES), then=partitions)
    def set_policy_and_comment_at_once(self, who: int, about: int, policy: str, then: set[int]) -> None:
        """Lets a user comment before and after a part of the workers has seen the new policy."""
        self.run(self.harness.set_policy(about, policy))
        self.run(self.harness.comment(who, about, None))
        self.run(self.harness.work_at(then))
        self.run(self.harness.comment(who, about, None))

    @rule(which=comments, pins=st.booleans())
    def pin(self, which: int, pins: bool) -> None:
        self.run(self.harness.pin(which, pins))

    @rule(which=comments, working=st.booleans(), who=st.integers(0, 2))
    def delete(self, which: int, working: bool, who: int) -> None:
        self.run(self.harness.delete(which, working, who))

    @rule(who=moderators, which=comments, approve=st.booleans())
    def judge(self, who: int, which: int, approve: bool) -> None:
        self.run(self.harness.judge(who, which, approve))

    @rule(which=comments, first=st.booleans(), then=partitions, who=st.integers(0, 2))
    def judge_and_delete_concurrently(self, which: int, first: bool, then: set[int], who: int) -> None:
        self.run(self.harness.work())
        self.run(self.harness.judge(0, which, first))
        self.run(self.harness.judge(1, which + 1, not first))
        self.run(self.harness.work_at(then))
        self.run(self.harness.delete(which, False, who))


@pytest.fixture
def machine(make_settings: Callable[..., Settings]) -> Iterator[type[CommentsMachine]]:
    with alive(CommentsMachine, CommentHarness, make_settings(moderation=LENIENT, local_cache_seconds=0)) as machine:
        yield machine


@pytest.mark.prove
@pytest.mark.timeout(300)
@pytest.mark.parametrize("redis_mode", ["standalone"])
def test_every_history_of_comments_agrees_with_the_model(machine: type[CommentsMachine]) -> None:
    run_state_machine_as_test(machine, settings=FIXED_HISTORIES)


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_very_many_histories_of_comments_agree_with_the_model(machine: type[CommentsMachine]) -> None:
    run_state_machine_as_test(machine, settings=VERY_MANY)
