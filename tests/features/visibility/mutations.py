"""Every mutation that takes the id of a post or comment."""

from collections.abc import Iterator

from graphql import GraphQLInputObjectType, GraphQLInputType, get_named_type

from tests.support.schema_paths import SCHEMA

_TARGET = "targetId: $id"
WRITES = {
    ("like", "targetId"): _TARGET,
    ("unlike", "targetId"): _TARGET,
    ("dislike", "targetId"): _TARGET,
    ("undislike", "targetId"): _TARGET,
    ("save", "targetId"): _TARGET,
    ("unsave", "targetId"): _TARGET,
    ("muteThread", "targetId"): _TARGET,
    ("unmuteThread", "targetId"): _TARGET,
    ("editPost", "postId"): 'postId: $id, text: "changed"',
    ("deletePost", "postId"): "postId: $id",
    ("pinPost", "postId"): "postId: $id",
    ("unpinPost", "postId"): "postId: $id",
    ("moderate", "targetId"): 'targetId: $id, decision: APPROVE, reason: "because"',
    ("report", "targetId"): "targetId: $id, reason: SPAM",
    ("resolveReports", "targetId"): 'targetId: $id, resolution: DISMISS, reason: "because"',
    ("appeal", "targetId"): 'targetId: $id, text: "please"',
    ("assign", "targetId"): _TARGET,
    ("release", "targetId"): _TARGET,
    ("addComment", "subjectId"): 'subjectId: $id, text: "hello", idempotencyKey: $key',
    ("addComment", "replyToId"): 'subjectId: $subject, replyToId: $id, text: "hello", idempotencyKey: $other',
    ("setCommentPolicy", "subjectId"): "subjectId: $id, policy: EVERYONE",
    ("pinComment", "commentId"): "commentId: $id",
    ("unpinComment", "commentId"): "commentId: $id",
    ("editComment", "commentId"): 'commentId: $id, text: "changed"',
    ("deleteComment", "commentId"): "commentId: $id",
    ("recordViews", "targetIds"): "targetIds: [$id]",
    ("recordShares", "targetIds"): "targetIds: [$id]",
    ("recordActions", "targetIds"): 'targetIds: [$id], action: "opens"',
}
"""The input of each mutation, by the mutation and the input field that has the id."""
ALWAYS_DONE = "unsave_targetId"
"""The mutation that succeeds for all ids of posts and comments, whether they are hidden or unknown."""
OF_USERS = {
    *((name, "userId") for name in ("follow", "unfollow", "block", "unblock", "mute", "unmute", "removeFollower")),
    *((name, "userId") for name in ("acceptFollow", "rejectFollow", "warnUser", "suspendUser", "reinstateUser")),
    ("registerEntities", "entities.owner.id"),
    ("removeEntities", "ids"),
    *((name, "collectionId") for name in ("save", "updateCollection", "deleteCollection")),
}
"""The mutations that take ids of users, entities or collections. Blocks hide users: see tests/features/boundaries."""


_EACH = [
    f"{mutation}_{field}: {mutation}(input: {{ {values} }}) {{ userErrors {{ code message field }} }}"
    for (mutation, field), values in WRITES.items()
]
ALL = f"mutation Writes($id: ID!, $subject: ID!, $key: String!, $other: String!) {{ {' '.join(_EACH)} }}"
"""All mutations of one `$id`. `$subject` is the subject of a comment, or the id itself. Both keys must be new."""


def taking_ids() -> set[tuple[str, str]]:
    """Returns the schema's mutations that take ids, with the path of the id in the input."""
    assert SCHEMA.mutation_type
    return {
        (name, path.removeprefix("input."))
        for name, mutation in SCHEMA.mutation_type.fields.items()
        for argument, declared in mutation.args.items()
        for path in _ids(declared.type, argument)
    }


def _ids(type_: GraphQLInputType, path: str) -> Iterator[str]:
    named = get_named_type(type_)
    if named.name == "ID":
        yield path
    elif isinstance(named, GraphQLInputObjectType):
        for name, field in named.fields.items():
            yield from _ids(field.type, f"{path}.{name}")
