"""Whoever reads, by whatever road: nobody receives, lists or counts what they may not see."""

from collections.abc import Mapping

import pytest
from graphql import GraphQLObjectType, get_named_type

from settings import Settings
from tests.features.visibility.cache_checks import check_caching
from tests.features.visibility.hidden_things import VisibilityCase, approved_below, publicised, waiting, withdrawn
from tests.features.visibility.read_checks import (
    Reading,
    ask,
    check,
    check_kept,
    check_pages,
    check_private,
    check_roads,
    cursors,
    read_by_all,
)
from tests.features.visibility.read_queries import LISTS
from tests.features.visibility.schema_paths import SCHEMA
from tests.support.stores import standalone
from tests.support.system import running

OTHER_COUNTS = {
    "Post.likeCount", "Post.dislikeCount", "Post.viewCount", "Post.shareCount", "Post.actionCount",
    "Comment.likeCount", "Comment.dislikeCount",
    "Entity.likeCount", "Entity.dislikeCount", "Entity.viewCount", "Entity.shareCount",
    "Entity.actionCount",
    "User.followerCount", "User.followingCount", "User.friendCount", "User.likesReceivedCount",
    "Notification.actorCount",
}  # fmt: skip
"""What counts people and what they did, not posts and comments."""
COUNTS = {
    "Post.commentCount", "Post.rootCommentCount", "Entity.commentCount", "Entity.rootCommentCount",
    "Comment.replyCount", "User.postCount", "Topic.postCount", "Viewer.unreadNotificationCount",
}  # fmt: skip
"""What `counted` compares."""


@standalone
@pytest.mark.timeout(180)
async def test_nobody_reads_lists_or_counts_what_they_may_not_see(lenient: Settings) -> None:
    async with running(lenient) as system:
        case = await waiting(system)
        for reading in (await read_by_all(case)).values():
            check_private(case, reading)

        await system.drain()
        await approved_below(case)
        early = await read_by_all(case)
        for reading in early.values():
            check(case, reading)
            assert reading.viewer.handle == "alice" or reading.lists["topic"] is None

        await publicised(case)
        public = await read_by_all(case)
        for reading in public.values():
            check(case, reading)
        check_roads(case, [*early.values(), *public.values()])
        begun = await cursors(case, public)

        await withdrawn(case)
        for name, viewer in case.viewers.items():
            await ask(going_on := Reading(viewer), LISTS, **begun[name])
            check_private(case, going_on)
        await check_withdrawn(case, public)
        await check_caching(case)
        await system.empty_redis()
        await check_withdrawn(case, public)  # from rows
        await check_withdrawn(case, public)  # from what they filled


async def check_withdrawn(case: VisibilityCase, before: Mapping[str, Reading]) -> None:
    """Everybody finds what is left, by all roads, and of it all."""
    for name, reading in (await read_by_all(case)).items():
        check(case, reading)
        check_kept(case, reading, before[name])
        await check_pages(reading)


def test_every_count_is_known() -> None:
    counts = {
        f"{type_.name}.{name}"
        for type_ in SCHEMA.type_map.values()
        if isinstance(type_, GraphQLObjectType)
        for name, one in type_.fields.items()
        if get_named_type(one.type).name == "Count"
    }
    assert counts == COUNTS | OTHER_COUNTS
