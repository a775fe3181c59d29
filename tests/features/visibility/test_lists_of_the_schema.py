"""Each list of users, posts or comments, in the schema and in Redis, is known to the tests of visibility.

A new list field, and a new cached list, fail here until they are in `FIELDS_BY_KEY`. Then
tests/features/boundaries/test_reading.py checks that a block hides a user in the new field while the new list holds the
user.
"""

from graphql import GraphQLObjectType, get_named_type, get_nullable_type, is_list_type

from tests.support.key_table import FIELDS_BY_KEY, key_kinds
from tests.support.schema_paths import SCHEMA, leading_fields

NOT_SHARED = {
    "Query.moderationQueue", "ModerationCase.newestReports", "Query.moderationLog", "Query.nodes", "Query.users",
    "Query.allFollowers", "Query.allLikers", "Query.searchUsers", "Query.suggestHandles",
    "Viewer.blocks", "Viewer.mutes", "Viewer.hiddenPosts", "Viewer.followRequests", "Post.facets", "Comment.facets",
}  # fmt: skip
"""List fields whose lists are in rows or in the request, which are for moderators or services, or which show the
viewer's own blocks, mutes and requests.
"""
SINGLE = {
    "{counts:<biz>:<id>}", "{entity:<biz>:<key>}", "{entity#:<biz>:<id>}", "{user:<id>}", "{post:<id>}",
    "{comment:<id>}", "{comment_settings:<biz>:<key>}", "{topic:<key>}", "{handle:<handle>}", "{identity:<hash>}",
    "{trends:<window>}", "{typed:<prefix>}",
}  # fmt: skip
"""Keys that hold one object, one id, numbers, or names of topics."""
OF_THE_VIEWER = {
    "{p}:pending:<actor>", "{p}:pending:<actor>:follows", "{p}:pending:<actor>:boundaries", "{p}:own:block:<actor>",
    "{p}:own:mute:<actor>", "{p}:own:blocker:<actor>", "{p}:boundaries:<actor>", "{p}:patches:<actor>",
    "{p}:seen:<actor>", "{p}:own:thread:<actor>", "{p}:own:collection:<actor>", "{hidden:<author>}",
    "{p}:states:react:<actor>:<biz>",
    "{follow_requests:<id>}", "{p}:own:content_follow:<actor>", "{p}:own:preference:<actor>", "{p}:own:bell:<actor>",
    "{p}:own:hidden_post:<actor>", "{p}:own:muted_words:<actor>",
}  # fmt: skip
"""Keys that hold a viewer's own changes, boundaries, followed topics and entities, preferences, hidden posts, muted
words, hidden comments, chosen authors, and requests to follow the viewer.
"""
INTERNAL = {
    "{p}:journal", "{p}:generation", "{p}:idem:<actor>:<hash>", "{p}:records:<actor>", "{p}:viewed:<actor>:<h>",
    "{p}:viewed:<actor>:<h>:<kind>", "{p}:added:<network>:<h>", "{snapshot:<token>}", "{pinned:<reader>}", "{pulled}",
    "{budget:<name>:<whose>}", "{apq:<slot>}", "{suggestions_due}", "{cache_log}", "{relayed}",
    "{relaying}", "{drained}", "{promoting}",
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


def test_every_key_holds_a_list_of_a_field_or_no_list_that_others_read() -> None:
    kinds = [kind.name for kind in key_kinds()]

    assert len(kinds) == len(set(kinds))
    assert set(kinds) == FIELDS_BY_KEY.keys() | SINGLE | OF_THE_VIEWER | INTERNAL


def test_every_list_field_has_a_cached_list_or_a_reason() -> None:
    fields = filter(is_list, leading_fields("Query", frozenset({"Post", "Comment", "User"})))

    assert set(fields) == set().union(*FIELDS_BY_KEY.values()) | NOT_SHARED
