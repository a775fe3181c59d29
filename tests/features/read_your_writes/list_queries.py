"""Queries of every list that can show a user's own change. The schema says which lists there are."""

from typing import Any

from graphql import GraphQLEnumType, GraphQLObjectType, GraphQLSchema, build_schema, get_named_type

from schema import schema

SORTS = ("HOT", "NEWEST", "OLDEST")
"""The sort orders of comments."""
SCHEMA: GraphQLSchema = build_schema(schema.as_str())
NEVER_OWN = {
    "Query.allFollowers": "The list has stored rows, for services only.",
    "Query.allLikers": "The list has stored rows, for services only.",
    **{
        f"Admin.{name}": "The list has what operators have stored, for services only; tests/features/admin reads it."
        for name in ("clientVersions", "operations", "operationUses", "wordListChanges")
    },
    "Query.moderationLog": "The list has decisions, for moderators only.",
    **{
        f"Query.moderationQueue {order}": "The list has what waits for a moderator, for moderators only."
        for order in ("OLDEST", "NEWEST", "MOST_REPORTED")
    },
    "Viewer.blocks": "tests/features/boundaries reads the list at once after each change.",
    "Viewer.followRequests": "The list has users who ask; tests/features/follows/test_requests.py reads it.",
    "Viewer.hiddenPosts": "tests/features/hiding reads the list at once after each change.",
    "Viewer.mutes": "tests/features/boundaries reads the list at once after each change.",
    **{
        f"Viewer.{name}": "tests/features/content_follows reads the list at once after each change."
        for name in ("followedTopics", "followedEntities")
    },
    "Viewer.notifications": "The list has actions of other users.",
    "Viewer.statements": "The list has decisions of moderation.",
    **{
        f"{name}.editHistory": "tests/features/edit_history reads the list at once after a change."
        for name in ("Comment", "Post")
    },
    "Collection.items": "tests/features/saves reads the list at once after each change.",
    "User.collections": "tests/features/saves reads the list at once after each change.",
    "Viewer.collections": "tests/features/saves reads the list at once after each change.",
    "Viewer.saved": "tests/features/saves reads the list at once after each change.",
    "Query.searchEntities": "The list has entities, which services register.",
    "Query.searchTopics": "The list has topics with a post for all users; tests/features/trends reads it.",
    "Query.searchUsers": "tests/features/user_search finds a new name at once.",
    "Viewer.recommended": "The list leaves out the viewer's own posts.",
}
"""The lists that are not polled, with the reason."""


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
    "Query.searchPosts": 'searchPosts(query: "topic:cats from:alice", SORT first: 50) { nodes { id } }',
    "Topic.posts": 'topic(name: "cats") { posts(SORT first: 50) { nodes { id } } }',
    "Query.searchComments": "",
}
_SORTS = dict.fromkeys(("Query.searchPosts", "Query.searchComments"), ("BEST", "NEWEST"))
_OF_OBJECTS = {
    "User.posts": ("alice", "posts(first: 50)"),
    "User.followers": ("carol", "followers(first: 50)"),
    "User.friends": ("carol", "friends(first: 50)"),
    "User.friends of Alice": ("alice", "friends(first: 50)"),
    "User.following": ("alice", "following(first: 50)"),
    "Entity.likers": ("video", "likers(first: 50)"),
    "Post.reposters": ("post", "reposters(first: 50)"),
    "Post.quotes": ("post", "quotes(first: 50)"),
    "Post.likers": ("post", "likers(first: 50)"),
    "Comment.likers": ("root", "likers(first: 50)"),
    "Entity.reactors": ("video", 'reactors(kind: "like", first: 50)'),
    "Post.reactors": ("post", 'reactors(kind: "like", first: 50)'),
    "Comment.reactors": ("root", 'reactors(kind: "like", first: 50)'),
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
_OF_VIEWERS = "Viewer.home", "Viewer.followedTopicsFeed"
_SORTED = {f"{name} {sort}" for name in _POSTS for sort in _SORTS.get(name, ("LATEST", "HOT"))}
LISTS = frozenset(_SORTED | {*_OF_OBJECTS} | {*_OF_VIEWERS})
"""The coordinates of all polled lists. A suffix ` of …` distinguishes two lists of one field."""


def document(lists: list[str], ids: dict[str, str]) -> str:
    """Returns a query of these lists. The alias of list number n is `l` and n."""
    return "{ " + " ".join(f"l{n}: {_field(name, ids)}" for n, name in enumerate(lists)) + " }"


def _field(name: str, ids: dict[str, str]) -> str:
    if name in _OF_VIEWERS:
        return f"viewer {{ {name.partition('.')[2]}(first: 50) {{ nodes {{ id }} }} }}"
    if name in _OF_OBJECTS:
        target, field = _OF_OBJECTS[name]
        type_ = name.partition(".")[0]
        return f'node(id: "{ids[target]}") {{ ... on {type_} {{ {field} {{ nodes {{ id }} }} }} }}'
    field, sort = name.split()
    if field == "Query.searchComments":
        subject = ids["post"]
        return (
            f'searchComments(subjectId: "{subject}", query: "from:alice", sort: {sort}, first: 50) {{ nodes {{ id }} }}'
        )
    return _POSTS[field].replace("SORT", f"sort: {sort},")


def found(value: Any) -> set[str]:
    """Returns the ids of all nodes below a value of an answer."""
    if not isinstance(value, dict):
        return set()
    ids = {node["id"] for node in value.get("nodes", ()) if node}
    return ids.union(*(found(below) for below in value.values()))
