"""Every mutation that takes the id of a post or comment."""

import re
from collections.abc import Iterator, Mapping

from graphql import GraphQLInputObjectType, GraphQLInputType, GraphQLObjectType, get_named_type, is_leaf_type

from tests.support.schema_paths import SCHEMA

_TARGET = "targetId: $id"
WRITES = {
    ("like", "targetId"): _TARGET,
    ("unlike", "targetId"): _TARGET,
    ("dislike", "targetId"): _TARGET,
    ("undislike", "targetId"): _TARGET,
    ("react", "targetId"): 'targetId: $id, kind: "like"',
    ("unreact", "targetId"): _TARGET,
    ("save", "targetId"): _TARGET,
    ("unsave", "targetId"): _TARGET,
    ("muteThread", "targetId"): _TARGET,
    ("unmuteThread", "targetId"): _TARGET,
    ("editPost", "postId"): 'postId: $id, text: "changed"',
    ("deletePost", "postId"): "postId: $id",
    ("pinPost", "postId"): "postId: $id",
    ("unpinPost", "postId"): "postId: $id",
    ("publishPost", "quoteOf"): 'quoteOf: $id, text: "hello", idempotencyKey: $key',
    ("detachQuote", "postId"): "postId: $id",
    ("repost", "postId"): "postId: $id",
    ("unrepost", "postId"): "postId: $id",
    ("moderate", "targetId"): 'targetId: $id, decision: APPROVE, reason: "because"',
    ("setLabels", "targetId"): 'targetId: $id, labels: [], reason: "because"',
    ("report", "targetId"): "targetId: $id, reason: SPAM",
    ("notice", "targetId"): 'targetId: $id, explanation: "e", law: "l", unnamed: true, goodFaith: true',
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
    **{(name, "postId"): "postId: $id" for name in ("hidePost", "showLess", "unhidePost")},
    ("recordViews", "targetIds"): "targetIds: [$id]",
    ("recordShares", "targetIds"): "targetIds: [$id]",
    ("recordActions", "targetIds"): 'targetIds: [$id], action: "opens"',
}
"""The input of each mutation, by the mutation and the input field that has the id."""
ALWAYS_DONE = {
    *("unsave_targetId", "unlike_targetId", "undislike_targetId", "unreact_targetId"),
    *("report_targetId", "unrepost_postId", "unhidePost_postId"),
}
"""The mutations that succeed for all ids of posts and comments, whether they are hidden or unknown."""
_USER = "userId: $id"
OF_USERS = {
    **{(name, "userId"): _USER for name in ("follow", "unfollow", "mute", "unmute", "removeFollower")},
    **{(name, "userId"): _USER for name in ("muteReposts", "unmuteReposts", "dismissSuggestion")},
    **{(name, "userId"): _USER for name in ("acceptFollow", "rejectFollow", "reinstateUser", "block", "unblock")},
    ("setPostNotifications", "userId"): f"{_USER}, enabled: true",
    ("warnUser", "userId"): f'{_USER}, reason: "because"',
    ("suspendUser", "userId"): f'{_USER}, mode: HIDDEN, reason: "because"',
    ("save", "collectionId"): "targetId: $shown, collectionId: $id",
    ("updateCollection", "collectionId"): 'collectionId: $id, name: "other"',
    ("deleteCollection", "collectionId"): "collectionId: $id",
    **{(f"{verb}Topic", "topicId"): "topicId: $id" for verb in ("follow", "unfollow")},
    **{(f"{verb}Entity", "entityId"): "entityId: $id" for verb in ("follow", "unfollow")},
}
"""The inputs of mutations that take ids of users or collections. `block` and `unblock` are the last of each user."""
OF_SERVICES = {
    *(("registerEntities", "entities.owner.id"), ("removeEntities", "ids"), ("eraseEntities", "ids")),
    *((name, "userId") for name in ("deleteUser", "cancelDeletion", "exportUser")),
}
"""The mutations with ids of services, which see all users and entities."""
OF_ENTITIES = {("publishPost", "entityId")}
"""The mutations with ids of entities only, which nothing hides from some users."""
OF_NOTIFICATIONS = {("markNotificationRead", "notificationId")}
"""The mutations with ids of notifications, which only their recipients see (tests/features/notifications)."""
OF_WORDS = {("unmuteWords", "ids")}
"""The mutations with ids of the viewer's muted words."""
OF_OPERATIONS = {
    ("importOperations", "operations.id"), ("withdrawOperations", "ids"), ("restoreOperations", "ids"),
}  # fmt: skip
"""Ids of persisted operations, which only operators use (tests/features/admin)."""
OF_STATEMENTS = {("decideAppeal", "statementId")}
"""The mutations with ids of statements of reasons, for moderators (tests/features/statements)."""


def answering(inputs: Mapping[tuple[str, str], str]) -> str:
    """Returns a document of these mutations of one `$id`, which asks for everything that their payloads can hold.
    `$subject` is the subject of a comment, `$shown` a post that the viewer sees.
    """
    each = [
        f"{name}_{field}: {name}(input: {{ {values} }}) {_payload(name)}" for (name, field), values in inputs.items()
    ]
    types = {"id": "ID!", "subject": "ID!", "shown": "ID!", "key": "String!", "other": "String!"}
    declared = [f"${name}: {type_}" for name, type_ in types.items() if re.search(rf"\${name}\b", str(each))]
    return f"mutation Writes({', '.join(declared)}) {{ {' '.join(each)} }}"


def _payload(mutation: str) -> str:
    assert SCHEMA.mutation_type
    payload = get_named_type(SCHEMA.mutation_type.fields[mutation].type)
    assert isinstance(payload, GraphQLObjectType)
    fields = [
        name if is_leaf_type(get_named_type(field.type)) else f"{name} {{ __typename }}"
        for name, field in payload.fields.items()
        if name != "userErrors"
    ]
    return f"{{ {' '.join(fields)} userErrors {{ code message field }} }}"


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
