"""Each list of users, posts or comments, in the schema and in Redis, is known to the tests of visibility.

A new list field, and a new cached list, fail here until they are in `ROADS`. tests/features/boundaries/test_reading.py
then checks that a block hides a user in the new field while the new list holds the user.
"""

from graphql import GraphQLObjectType, get_named_type, get_nullable_type, is_list_type

from tests.support.key_table import ROADS, key_kinds
from tests.support.schema_paths import SCHEMA, leading_fields

NOT_CACHED = {"Query.moderationQueue", "Query.nodes", "Query.users", "Viewer.blocks", "Viewer.mutes"}
"""List fields whose lists are in rows or in the request, or which show the viewer's own blocks and mutes."""
SINGLE = {
    "{counts:<biz>:<id>}", "{entity:<biz>:<key>}", "{entity#:<biz>:<id>}", "{user:<id>}", "{post:<id>}",
    "{comment:<id>}", "{topic:<name>}", "{handle:<handle>}", "{identity:<hash>}",
}  # fmt: skip
"""Keys that hold one object, one id, or numbers."""
OF_THE_VIEWER = {
    "{p}:pending:<actor>", "{p}:pending:<actor>:follows", "{p}:pending:<actor>:boundaries", "{p}:blocks:<actor>",
    "{p}:mutes:<actor>", "{p}:blockers:<actor>", "{p}:boundaries:<actor>", "{p}:patches:<actor>", "{p}:seen:<actor>",
    "{hidden:<author>}",
}  # fmt: skip
"""Keys that hold a viewer's own changes, boundaries and hidden comments."""
INTERNAL = {
    "{p}:journal", "{p}:generation", "{p}:idem:<actor>:<hash>", "{p}:viewed:<actor>:<h>",
    "{p}:viewed:<actor>:<h>:<kind>", "{p}:added:<network>:<h>", "{snapshot:<token>}", "{pinned:<reader>}", "{pulled}",
    "{budget:<name>:<whose>}", "{apq:<slot>}",
}  # fmt: skip
"""Keys that no field shows. `{pulled}` has authors, whose posts come from `{outbox:<author>}`."""


def is_list(coordinate: str) -> bool:
    """Returns whether a field has a list or a connection. Those of a connection itself do not count."""
    type_name, _, name = coordinate.partition(".")
    type_ = SCHEMA.type_map[type_name]
    assert isinstance(type_, GraphQLObjectType)
    declared = type_.fields[name].type
    is_connection = get_named_type(declared).name.endswith("Connection")
    return not type_name.endswith("Connection") and (is_connection or is_list_type(get_nullable_type(declared)))


def test_every_key_is_a_road_or_holds_no_list_that_others_read() -> None:
    kinds = [kind.name for kind in key_kinds()]

    assert len(kinds) == len(set(kinds))
    assert set(kinds) == ROADS.keys() | SINGLE | OF_THE_VIEWER | INTERNAL


def test_every_list_field_is_at_the_end_of_a_road() -> None:
    fields = filter(is_list, leading_fields("Query", frozenset({"Post", "Comment", "User"})))

    assert set(fields) == set().union(*ROADS.values()) | NOT_CACHED
