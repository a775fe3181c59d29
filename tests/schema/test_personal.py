"""Fields that depend on the viewer: responses that contain them are not publicly cacheable."""

from graphql import GraphQLObjectType

from schema import schema
from schema.planned import documents_of

PERSONAL = {
    ("Query", "viewer"),
    ("SavedItem", "collection"),
    ("Query", "rateLimit"),
    ("Query", "noticeStatus"),
    ("Query", "users"),
    ("Query", "searchUsers"),
    ("Query", "suggestHandles"),
    ("Query", "allFollowers"),
    ("Query", "allLikers"),
    ("User", "viewerRelation"),
    ("User", "viewerBlocks"),
    ("User", "viewerMutes"),
    ("User", "viewerGetsPostNotifications"),
    ("User", "viewerMutesReposts"),
    ("User", "suspension"),
    ("Topic", "viewerFollows"),
    ("Entity", "viewerFollows"),
    ("Entity", "viewerReaction"),
    ("Entity", "viewerReactions"),
    ("Entity", "viewerSaved"),
    ("Entity", "viewerMutesThread"),
    ("Entity", "likedByFollowed"),
    ("Entity", "viewerCanComment"),
    ("Post", "viewerReaction"),
    ("Post", "viewerReactions"),
    ("Post", "viewerSaved"),
    ("Post", "viewerHasHidden"),
    ("Post", "viewerMutesThread"),
    ("Post", "likedByFollowed"),
    ("Post", "viewerCanComment"),
    ("Post", "viewerHasReposted"),
    ("PostEdge", "repostedBy"),
    ("Post", "editHistory"),
    ("Comment", "editHistory"),
    ("Comment", "viewerReaction"),
    ("Comment", "viewerReactions"),
    ("Comment", "viewerSaved"),
    ("Comment", "viewerMutesThread"),
    ("Comment", "likedByFollowed"),
    ("ContentLabel", "visibility"),
    ("Query", "moderationQueue"),
    ("Query", "moderationLog"),
    ("Query", "transparency"),
    ("Query", "admin"),
}
"""Fields whose value depends on the viewer."""


def test_fields_that_depend_on_the_viewer_are_marked() -> None:
    documents = documents_of(schema, shown=True)
    marked = {
        (type_.name, name)
        for type_ in schema.graphql_core.type_map.values()
        if isinstance(type_, GraphQLObjectType) and not type_.name.startswith("__")
        for name, field in type_.fields.items()
        if documents._is_personal(field)
    }
    assert marked == PERSONAL
