"""Every root field and every private field has a rule for restricted tokens, and the documentation names it."""

import re
from collections.abc import Iterator
from pathlib import Path

from graphql import GraphQLInterfaceType, GraphQLObjectType

from identity.permissions import Rule
from schema import RULES, schema
from schema.planned import documents_of

PRIVATE = "Viewer", "Notification"
"""Types whose objects belong to the signed-in user. Clients pass their ids or read them with the fields.
Statements belong to the user, too, but restricted tokens cannot reach one.
"""
IDS = {"Viewer.id", "Notification.id"}
"""Fields of private objects that every token may read."""
DOCS = (Path(__file__).parents[2] / "docs/build/restricted-tokens.md").read_text()
ROWS = {
    Rule.ALL: "of any kind",
    Rule.TARGET: "for the business of the target",
    Rule.POST: "for `post`",
    Rule.COMMENT: "for `comment`",
    Rule.ACCOUNT: "without restrictions",
}


def coordinates() -> Iterator[str]:
    """Yields root fields, private fields, and all fields that depend on the viewer, by their mark or by their name."""
    is_personal = documents_of(schema, shown=True)._is_personal
    roots = "Query", "Mutation", "Subscription"
    for type_ in schema.graphql_core.type_map.values():
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType) and not type_.name.startswith("__"):
            for name, field in type_.fields.items():
                is_named = name.startswith("viewer") and name != "viewer"
                if type_.name in roots or type_.name in PRIVATE or is_personal(field) or is_named:
                    yield f"{type_.name}.{name}"


def test_every_root_field_and_every_private_field_has_a_rule() -> None:
    assert set(coordinates()) - IDS == set(RULES)


def test_the_documentation_lists_every_restricting_rule() -> None:
    rows = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", DOCS, re.MULTILINE))
    for coordinate, rule in RULES.items():
        type_, _, field = coordinate.partition(".")
        names = {f"`{type_}`"} if type_ == "Notification" else {f"`{field}`", f"`{type_}.{field}`"}
        others = " ".join(text for row, text in rows.items() if row != ROWS[rule])
        assert rule is Rule.ALL or any(name in rows[ROWS[rule]] for name in names), coordinate
        assert not any(name in others for name in names), coordinate
