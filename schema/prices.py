"""The prices, in points of the caller's budget, of fields that take much more CPU time than others."""

from graphql import GraphQLObjectType, GraphQLSchema

from execution.selections import POINTS

PRICES = {
    "Viewer.recommended": 100,
    **dict.fromkeys(("Query.searchPosts", "Query.searchComments", "Query.searchEntities"), 50),
    "Query.moderationQueue": 10,
    "Query.transparency": 5000,
    "Query.searchUsers": 50,
    **dict.fromkeys(("Query.searchTopics", "Query.suggestHandles", "Query.topics"), 10),
    **dict.fromkeys(("Viewer.mutedWords", "Mutation.muteWords", "Mutation.unmuteWords"), 10),
    **dict.fromkeys(
        (f"Mutation.{name}" for name in ("suspendUser", "reinstateUser", "deleteUser", "cancelDeletion")), 30
    ),
    **dict.fromkeys(("Mutation.registerUsers", "Mutation.registerEntities"), 20),
    "Mutation.importOperations": 2000,
    "Admin.operationChecks": 2000,
    "PersistedOperation.check": 20,
    "Admin.webhooks": 100,
    **dict.fromkeys(("Mutation.importWordList", "Mutation.removeWords"), 3000),
    "Post.facets": 5,
    "Comment.facets": 5,
}
"""The price of a field in points, for each parent object. The key is the schema coordinate. All other fields cost one
point.
"""


def set_prices(schema: GraphQLSchema) -> None:
    """Stores PRICES in the fields of the schema, where `execution/` finds them."""
    for coordinate, points in PRICES.items():
        type_name, _, field = coordinate.partition(".")
        type_ = schema.type_map[type_name]
        assert isinstance(type_, GraphQLObjectType)
        type_.fields[field].extensions[POINTS] = points
