"""The description of every idempotency key says what a repeated request answers."""

from graphql import GraphQLInputObjectType

from schema.payloads import IF_TARGET_IS_GONE
from tests.support.schema_paths import SCHEMA


def test_each_key_says_what_a_repeat_answers_if_its_target_is_gone() -> None:
    described = {
        f"{type_.name}.idempotencyKey": type_.fields["idempotencyKey"].description
        for type_ in SCHEMA.type_map.values()
        if isinstance(type_, GraphQLInputObjectType) and "idempotencyKey" in type_.fields
    }

    assert len(described) > 20
    assert {name for name, description in described.items() if IF_TARGET_IS_GONE not in (description or "")} == set()
