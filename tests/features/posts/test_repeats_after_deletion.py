"""A write that is repeated after its post was deleted: TARGET_DELETED or TARGET_NOT_FOUND, as the schema says."""

from typing import Any

import pytest
from graphql import get_named_type

from tests.support.posts import delete, published
from tests.support.schema_paths import SCHEMA
from tests.support.stored_state import unchanged
from tests.support.system import Person, System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

GONE = {"TARGET_DELETED", "TARGET_NOT_FOUND"}
OF_AUTHOR: dict[str, dict[str, Any]] = {
    "pinPost": {"postId": "{post}"},
    "editPost": {"postId": "{post}", "text": "changed"},
    "setCommentPolicy": {"subjectId": "{post}", "policy": "NOBODY"},
}
OF_READER: dict[str, dict[str, Any]] = {
    **{verb: {"targetId": "{post}"} for verb in ("like", "dislike", "save", "muteThread")},
    "recordViews": {"targetIds": ["{post}"]},
    "recordShares": {"targetIds": ["{post}"]},
}


async def codes(person: Person, mutation: str, post: str, values: dict[str, Any]) -> list[str]:
    assert SCHEMA.mutation_type
    type_ = get_named_type(SCHEMA.mutation_type.fields[mutation].args["input"].type).name
    query = f"mutation ($input: {type_}!) {{ {mutation}(input: $input) {{ userErrors {{ code }} }} }}"
    filled = {name: [post] if isinstance(value, list) else value.format(post=post) for name, value in values.items()}
    payload = (await person.ask(query, input={**filled, "idempotencyKey": "k"}))[mutation]
    return [error["code"] for error in payload["userErrors"]]


@pytest.mark.parametrize("mutation", [*OF_AUTHOR, *OF_READER])
async def test_a_repeat_after_the_post_was_deleted_says_that_the_target_is_gone(system: System, mutation: str) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    (post,) = await published(alice, "a post")
    await system.drain()
    person, values = (alice, OF_AUTHOR[mutation]) if mutation in OF_AUTHOR else (bob, OF_READER[mutation])
    assert await codes(person, mutation, post, values) == []
    await delete(alice, post)
    await system.drain()

    async with unchanged(system):
        repeated = await codes(person, mutation, post, values)

    assert len(repeated) == 1
    assert set(repeated) <= GONE
