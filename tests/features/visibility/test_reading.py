"""No query returns, lists or counts a post or comment that the viewer may not see."""

from collections.abc import Mapping

import pytest
from graphql import GraphQLObjectType, get_named_type

from settings import Settings
from tests.features.visibility.cache_checks import check_caching
from tests.features.visibility.hidden_things import (
    VisibilityCase,
    pending_case,
    publish_all,
    publish_early_reply,
    withdraw,
)
from tests.features.visibility.read_checks import (
    Reading,
    ask,
    check,
    check_kept,
    check_pages,
    check_paths,
    check_private,
    cursors,
    read_by_all,
)
from tests.features.visibility.read_queries import LISTS
from tests.support.schema_paths import SCHEMA
from tests.support.stores import standalone
from tests.support.system import running

OTHER_COUNTS = {
    "Viewer.homeNewCount", "Post.repostCount", "RepostedBy.totalCount", "Post.quoteCount",
    "Post.likeCount", "Post.dislikeCount", "Post.viewCount", "Post.shareCount", "Post.actionCount", "Post.saveCount",
    "Comment.likeCount", "Comment.dislikeCount", "Comment.saveCount",
    "Entity.likeCount", "Entity.dislikeCount", "Entity.viewCount", "Entity.shareCount",
    "Entity.actionCount", "Entity.saveCount", "Entity.followerCount", "Topic.followerCount",
    "User.followerCount", "User.followingCount", "User.friendCount", "User.likesReceivedCount",
    "ReactionCount.count", "Notification.actorCount", "ModerationCase.reportCount", "ReportReasonCount.count",
    "ModerationRecord.reportsMadeCount", "ModerationRecord.acceptedReportsMadeCount",
    "ModerationRecord.reportsReceivedCount", "ModerationRecord.acceptedReportsReceivedCount",
    "Viewer.unseenNotificationCount", "TransparencyCount.value", "OperationUse.requestCount",
    "ClientVersion.requestCount",
    "ModerationRecord.rejectedCount", "ModerationRecord.warnedCount", "ModerationRecord.suspendedCount",
}  # fmt: skip
"""The counts of users and their actions, not of visible posts and comments. `homeNewCount` may count hidden posts."""
COUNTS = {
    "Post.commentCount", "Post.rootCommentCount", "Entity.commentCount", "Entity.rootCommentCount",
    "Comment.replyCount", "User.postCount", "Topic.postCount", "Viewer.unreadNotificationCount",
}  # fmt: skip
"""The counts that `read_checks.check_counts` compares."""


@standalone
@pytest.mark.timeout(180)
async def test_no_viewer_can_read_list_or_count_a_hidden_thing(lenient: Settings) -> None:
    async with running(lenient) as system:
        case = await pending_case(system)
        for reading in (await read_by_all(case)).values():
            check_private(case, reading)

        await system.drain()
        await publish_early_reply(case)
        early = await read_by_all(case)
        for reading in early.values():
            check(case, reading)
            assert reading.viewer.handle == "alice" or reading.lists["topic"] is None

        await publish_all(case)
        public = await read_by_all(case)
        for reading in public.values():
            check(case, reading)
        check_paths(case, [*early.values(), *public.values()])
        after_first = await cursors(case, public)

        await withdraw(case)
        for name, viewer in case.viewers.items():
            await ask(later_pages := Reading(viewer), LISTS, **after_first[name])
            check_private(case, later_pages)
        await check_withdrawn(case, public)
        await check_caching(case)
        await system.empty_redis()
        await check_withdrawn(case, public)  # from rows
        await check_withdrawn(case, public)  # from the filled cache


async def check_withdrawn(case: VisibilityCase, before: Mapping[str, Reading]) -> None:
    """Expects that every viewer finds exactly the things that are still visible, in all queries."""
    for name, reading in (await read_by_all(case)).items():
        check(case, reading)
        check_kept(case, reading, before[name])
        await check_pages(reading)


def test_every_count_is_known() -> None:
    counts = {
        f"{type_.name}.{name}"
        for type_ in SCHEMA.type_map.values()
        if isinstance(type_, GraphQLObjectType)
        for name, field in type_.fields.items()
        if get_named_type(field.type).name == "Count"
    }
    assert counts == COUNTS | OTHER_COUNTS
