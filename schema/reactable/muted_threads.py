"""The field of Reactable that tells whether the viewer mutes the object's thread."""

import strawberry

import resolvers.boundaries as resolve
from schema.access import Rule, access
from schema.fields import listed


@strawberry.type
class Fields:
    viewer_mutes_thread: bool | None = listed(
        resolve.thread_muted,
        description="Whether the viewer (the signed-in user) mutes the thread of this object: a post or an entity with "
        "all its comments, or a root comment with its replies. A reply has the value of its root comment. False for a "
        "comment if the viewer mutes only the post or entity. Null if no user is signed in, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
