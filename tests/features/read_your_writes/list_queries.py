"""Queries of every list that can show a user's own change. The schema says which lists there are."""

from typing import Any

from graphql import GraphQLEnumType, GraphQLObjectType, GraphQLSchema, build_schema, get_named_type

from schema import schema

SORTS = ("HOT", "NEWEST", "OLDEST")
"""Those of comments."""
SCHEMA: GraphQLSchema = build_schema(schema.as_str())
NEVER_OWN = {
    "Query.moderationQueue": "It holds what waits for a decision.",
    "Viewer.notifications": "It holds what others did.",
    "Viewer.recommended": "It leaves out the viewer's own posts.",
}
"""The lists that show nothing their reader has just done, and why."""


def connections() -> set[str]:
    """Returns every connection field of the schema as `Type.field`, one for each way to sort it."""
    return {
        coordinate
        for type_ in SCHEMA.type_map.values()
        if isinstance(type_, GraphQLObjectType)
        for name, field in type_.fields.items()
        if get_named_type(field.type).name.endswith("Connection")
        for coordinate in _sorted(f"{type_.name}.{name}", field.args)
    }


def _sorted(coordinate: str, args: dict[str, Any]) -> list[str]:
    if "sort" not in args:
        return [coordinate]
    sorts = get_named_type(args["sort"].type)
    assert isinstance(sorts, GraphQLEnumType)
    return [f"{coordinate} {value}" for value in sorts.values]


_POSTS = {
    "Query.square": "square(SORT first: 50) { nodes { id } }",
    "Topic.posts": 'topic(name: "cats") { posts(SORT first: 50) { nodes { id } } }',
}
_OF_ONE = {
    "User.posts": ("alice", "posts(first: 50)"),
    "User.followers": ("carol", "followers(first: 50)"),
    "User.friends": ("carol", "friends(first: 50)"),
    "User.friends of one's own": ("alice", "friends(first: 50)"),
    "User.following": ("alice", "following(first: 50)"),
    "Entity.likers": ("video", "likers(first: 50)"),
    "Post.likers": ("post", "likers(first: 50)"),
    "Comment.likers": ("root", "likers(first: 50)"),
    "User.likes of videos": ("alice", 'likes(business: "video", first: 50)'),
    "User.likes of posts": ("alice", 'likes(business: "post", first: 50)'),
    "User.likes of comments": ("alice", 'likes(business: "comment", first: 50)'),
    "Comment.replies": ("root", "replies(first: 50)"),
    **{
        f"Entity.comments {sort}": ("video", f"comments(sort: {sort}, first: 50)")
        for sort in ("HOT", "NEWEST", "OLDEST")
    },
    **{f"Post.comments {sort}": ("post", f"comments(sort: {sort}, first: 50)") for sort in ("HOT", "NEWEST", "OLDEST")},
}
LISTS = frozenset({f"{name} {sort}" for name in _POSTS for sort in ("LATEST", "HOT")} | {*_OF_ONE} | {"Viewer.home"})
"""The lists that are polled, by their coordinates; ` of …` tells two lists of one field apart."""


def document(lists: list[str], ids: dict[str, str]) -> str:
    """Returns a query of these lists; field number n of it is list number n."""
    return "{ " + " ".join(f"l{n}: {_field(one, ids)}" for n, one in enumerate(lists)) + " }"


def _field(name: str, ids: dict[str, str]) -> str:
    if name == "Viewer.home":
        return "viewer { home(first: 50) { nodes { id } } }"
    if name in _OF_ONE:
        whose, field = _OF_ONE[name]
        return (
            f'node(id: "{ids[whose]}") {{ ... on {name.split(".", maxsplit=1)[0]} {{ {field} {{ nodes {{ id }} }} }} }}'
        )
    field, sort = name.split()
    return _POSTS[field].replace("SORT", f"sort: {sort},")


def found(value: Any) -> set[str]:
    """Returns the ids of the nodes somewhere below a value of an answer."""
    if not isinstance(value, dict):
        return set()
    here = {node["id"] for node in value.get("nodes", ()) if node}
    return here.union(*(found(below) for below in value.values()))
