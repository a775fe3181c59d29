"""The fields of Viewer that list posts for the viewer: the home timeline and recommended posts."""

from inspect import Parameter
from typing import Annotated

import strawberry
from strawberry import UNSET

import resolvers.home as resolve_home
import resolvers.recommended as resolve_recommended
from models.home import HomeKind
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import BOTH_WAYS, PAGE, listed
from schema.posts import PostConnection
from schema.scalars import Count

describe_enum(
    HomeKind,
    "A kind of entries of a home timeline.",
    POSTS="Posts at the time when they were published.",
    REPOSTS="Posts that a followed user has reposted, at the time of the repost.",
)


@strawberry.input(
    description="Chooses entries of a home timeline. An entry must match all fields that are given. Use one filter for "
    "all pages of a list."
)
class HomeFilter:
    kinds: list[HomeKind] | None = strawberry.field(
        default=UNSET,
        description="The kinds of entries. With `POSTS` alone, reposts do not change the places of posts. All kinds if "
        "it is omitted or empty.",
    )
    has_images: bool | None = strawberry.field(
        default=UNSET,
        description="If `true`, only posts with images. If `false`, only posts without images. If it is omitted, all "
        "posts.",
    )


@strawberry.type
class Fields:
    home: PostConnection | None = listed(
        resolve_home.home,
        description="The home timeline of the viewer (the signed-in user): the approved posts of the users that the "
        "viewer follows, and all posts of the viewer, newest first. Null if the value is temporarily unavailable, and "
        "if more than 11,000 entries in a row are hidden or do not match `filter`.",
        metadata=access(Rule.POST),
        **BOTH_WAYS,
        filter=(
            Annotated[
                HomeFilter | None,
                strawberry.argument(description="The entries to return. All entries if it is omitted."),
            ],
            UNSET,
        ),
    )
    home_new_count: Count | None = listed(
        resolve_home.new_count,
        description="The approximate number of posts of other users that are new in the home timeline of the viewer "
        "(the signed-in user) since a page was read. At most 100, which means 100 or more. The request is cheap, so an "
        "app may send it often. The number leaves out reposts, posts of topics and the viewer's own posts. It may "
        "include posts that the timeline leaves out, such as deleted posts and posts of users whom the viewer mutes. "
        "For an exact number, read the page before `since`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.POST),
        since=(
            Annotated[
                str,
                strawberry.argument(
                    description="A cursor of `Viewer.home`, such as `pageInfo.startCursor` of its first page. Fails "
                    "with `BAD_CURSOR` if it is from another list."
                ),
            ],
            Parameter.empty,
        ),
    )
    recommended: PostConnection | None = listed(
        resolve_recommended.recommended,
        description="The posts that are recommended to the viewer (the signed-in user), best first, at most 200. "
        "Reading the first page makes a new list. The cursors of this list are valid for ten minutes, unless the "
        "viewer reads four newer first pages in this time. Later they fail with `BAD_CURSOR`: start again without "
        "`after`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.POST),
        **PAGE,
    )
