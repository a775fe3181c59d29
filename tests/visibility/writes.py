"""Every mutation that is told of a post or comment by its id."""

from collections.abc import Collection, Iterator

from graphql import GraphQLInputObjectType, GraphQLInputType, get_named_type

from tests.visibility.paths import SCHEMA
from tests.visibility.things import Thing

_REFUSED = "{ userErrors { code message field } }"
_TARGET = "(input: {{targetId: {id}}}) "
_TARGETS = "(input: {{targetIds: [{id}]}}) "
WRITES = {
    ("like", "targetId"): _TARGET,
    ("unlike", "targetId"): _TARGET,
    ("dislike", "targetId"): _TARGET,
    ("undislike", "targetId"): _TARGET,
    ("editPost", "postId"): '(input: {{postId: {id}, text: "changed"}}) ',
    ("deletePost", "postId"): "(input: {{postId: {id}}}) ",
    ("moderate", "targetId"): '(input: {{targetId: {id}, decision: APPROVE, reason: "because"}}) ',
    ("addComment", "subjectId"): '(input: {{subjectId: {id}, text: "hello", idempotencyKey: "{key}"}}) ',
    ("addComment", "replyToId"): (
        '(input: {{subjectId: {subject}, replyToId: {id}, text: "hello", idempotencyKey: "{key}"}}) '
    ),
    ("deleteComment", "commentId"): "(input: {{commentId: {id}}}) ",
    ("recordViews", "targetIds"): _TARGETS,
    ("recordShares", "targetIds"): _TARGETS,
}
"""By mutation and field of its input."""
OF_USERS = {("follow", "userId"), ("unfollow", "userId"), ("registerEntities", "entities.owner.id")}
"""Those that name people, who are not hidden."""


def writes(thing: Thing, id_: str, key: str, without: Collection[str] = ()) -> str:
    """One document with all of them about an id that stands for a thing. Their idempotency keys begin with `key`."""
    fields = [
        f"w{i}: {mutation}"
        + arguments.format(id=f'"{id_}"', subject=f'"{thing.subject or id_}"', key=f"{key}-{i}")
        + _REFUSED
        for i, ((mutation, _), arguments) in enumerate(WRITES.items())
        if mutation not in without
    ]
    return f"mutation Writes {{ {' '.join(fields)} }}"


def taking_ids() -> set[tuple[str, str]]:
    """The schema's mutations that take ids, with where in their input."""
    assert SCHEMA.mutation_type
    return {
        (name, path.removeprefix("input."))
        for name, mutation in SCHEMA.mutation_type.fields.items()
        for argument, of in mutation.args.items()
        for path in _ids(of.type, argument)
    }


def _ids(type_: GraphQLInputType, path: str) -> Iterator[str]:
    named = get_named_type(type_)
    if named.name == "ID":
        yield path
    elif isinstance(named, GraphQLInputObjectType):
        for name, one in named.fields.items():
            yield from _ids(one.type, f"{path}.{name}")
