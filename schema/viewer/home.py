"""The fields of Viewer that list posts for the viewer: the home timeline and recommended posts."""

import strawberry

import resolvers.home as resolve_home
import resolvers.recommended as resolve_recommended
from schema.access import Rule, access
from schema.fields import PAGE, listed
from schema.posts import PostConnection


@strawberry.type
class Fields:
    home: PostConnection | None = listed(
        resolve_home.home,
        description="The home timeline of the viewer (the signed-in user): the approved posts of the users that the "
        "viewer follows, and all posts of the viewer, newest first. Null if the value is temporarily unavailable.",
        metadata=access(Rule.POST),
        **PAGE,
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
