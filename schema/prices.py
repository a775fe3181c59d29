"""The prices of fields that take much more CPU time than others."""

from graphql import GraphQLObjectType, GraphQLSchema

from execution.selections import POINTS

PRICES = {"Viewer.recommended": 100, "Query.moderationQueue": 10}
"""The points of a field, for each parent object, by `Type.field`. All other fields cost one."""


def set_prices(schema: GraphQLSchema) -> None:
    """Stores the points of the fields in the schema, where `execution/` finds them."""
    for coordinate, points in PRICES.items():
        type_name, _, field = coordinate.partition(".")
        type_ = schema.type_map[type_name]
        assert isinstance(type_, GraphQLObjectType)
        type_.fields[field].extensions[POINTS] = points
