"""Sends every read query as a viewer, and checks that the response has only what the viewer may see."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.features.visibility.hidden_things import VisibilityCase, with_sight
from tests.features.visibility.permitted_fields import permitted
from tests.features.visibility.read_queries import BOARDS, LISTS, NODES, QUOTED, SAVED, SEARCH, one_by_one
from tests.features.visibility.things import Sight, State, Thing, Viewer
from tests.support.schema_paths import FoundNode, found_nodes, leading_fields

ELSEWHERE = {
    "Viewer.hiddenPosts": "tests/features/hiding/test_hidden_posts.py hides posts that are withdrawn later.",
    "Statement.target": "Only authors and reporters have statements: tests/features/statements.",
}
"""Fields that lead to things, but not for the readers of these tests, with the tests that check them."""

REFUSED = {"FORBIDDEN", "UNAUTHENTICATED"}
"""The error codes of the moderation queue for viewers who are not moderators."""
REACTIONS = ("likeCount", "dislikeCount", "likers", "reactionCounts", "reactors")
"""The fields that show reactions."""
PATHS_OF_OWN = ["author.written.nodes", "square.nodes", "viewer.home.nodes", *(
    f"entity.{sort}.nodes" for sort in ("newest", "oldest", "hottest"))]  # fmt: skip
"""The paths of lists in which authors find their own things, public or not."""


@dataclass
class Reading:
    """All answers that one viewer received."""

    viewer: Viewer
    bodies: list[str] = field(default_factory=list)
    found: list[FoundNode] = field(default_factory=list)
    lists: Any = None
    nodes: Any = None

    def ids(self, path: str) -> set[str]:
        """Returns the ids that were found at a path."""
        return {node.value["id"] for node in self.found if node.path == path}

    @property
    def by_path(self) -> Mapping[str, set[str]]:
        """All found ids, by path."""
        paths: dict[str, set[str]] = defaultdict(set)
        for node in self.found:
            paths[node.path].add(node.value["id"])
        return paths


async def ask(reading: Reading, query: str, **variables: Any) -> Any:
    """Returns the data of an answer. Only refusals are allowed as errors."""
    if reading.viewer.businesses is not None:
        query, _ = permitted(query, reading.viewer.businesses)
    response = await reading.viewer.send(query, **variables)
    body = response.json()
    codes = {error["extensions"]["code"] for error in body.get("errors", [])}
    assert codes <= REFUSED, body["errors"]
    assert not body["extensions"].get("degraded"), body["extensions"]
    reading.bodies.append(response.text)
    reading.found += found_nodes(query, body["data"])
    return body["data"]


_AT_ONCE = 8
"""The number of `node` fields in one query, below the limit of a compiled plan."""


async def read(case: VisibilityCase, viewer: Viewer) -> Reading:
    """Sends every read query once as this viewer."""
    reading = Reading(viewer)
    reading.lists, reading.nodes, *_ = await asyncio.gather(
        ask(reading, LISTS),
        ask(reading, NODES, ids=case.ids),
        ask(reading, BOARDS),
        ask(reading, SAVED),
        ask(reading, QUOTED),
        ask(reading, SEARCH),
        *(ask(reading, one_by_one(case.ids[start : start + _AT_ONCE])) for start in range(0, len(case.ids), _AT_ONCE)),
    )
    return reading


async def read_by_all(case: VisibilityCase) -> dict[str, Reading]:
    """Sends every read query as every viewer. Returns the answers by viewer."""
    return {name: await read(case, viewer) for name, viewer in case.viewers.items()}


def check_private(case: VisibilityCase, reading: Reading) -> None:
    """Expects that no answer has a hidden id or text, and that tombstones show nothing but their place."""
    viewer = reading.viewer
    for thing in with_sight(case.things, viewer, Sight.NOTHING):
        assert not any(number(thing) in body for body in reading.bodies), (viewer.name, thing)
    for thing in with_sight(case.things, viewer, Sight.TOMBSTONE, Sight.NOTHING):
        assert not any(thing.text in body for body in reading.bodies), (viewer.name, thing)
        for node in reading.found:
            if node.value["id"] == thing.id:
                where = (viewer.name, thing, node.path)
                assert thing.sight(viewer) is Sight.TOMBSTONE, where
                assert [node.value[name] for name in ("deleted", "commentText", "author")] == [True, None, None], where
                assert node.value["auditStatus"] == "APPROVED", where
                assert all(node.value.get(name) is None for name in REACTIONS), where


def number(thing: Thing) -> str:
    """Returns the digits that the ids of all things contain."""
    return re.findall(r"\d+", thing.id)[-1]  # type: ignore[no-any-return]


def check_replied_to(case: VisibilityCase, reading: Reading) -> None:
    """Expects that `repliedTo` is null if the viewer cannot see the comment above the reply."""
    for thing in case.things:
        if thing.above:
            seen = thing.above.sight(reading.viewer) is Sight.ALL
            for node in reading.found:
                if node.value["id"] == thing.id:
                    author = {"handle": thing.above.author} if seen else None
                    assert node.value["repliedTo"] == author, (reading.viewer.name, thing)


def check_nodes(case: VisibilityCase, reading: Reading) -> None:
    """Expects that `node` and `nodes` return exactly the things that the viewer sees."""
    shown = dict(zip(case.ids, reading.nodes["nodes"], strict=True))
    for thing in case.things:
        sight, node = thing.sight(reading.viewer), shown[thing.id]
        where = (reading.viewer.name, thing, node)
        assert (node is None) == (sight is Sight.NOTHING), where
        if sight is Sight.ALL:
            assert (node.get("text") or node.get("commentText")).removesuffix("!") == thing.text, where
    alone = {node.value["id"] for node in reading.found if node.coordinates == ("Query.node",)}
    assert alone == {id_ for id_, node in shown.items() if node}


def check_kept(case: VisibilityCase, now: Reading, before: Reading) -> None:
    """Expects that kept things are still in all lists, and that alice finds her own things in her lists. Notifications
    of answers disappear with the deleted comments that were answered.
    """
    kept = {thing.id for thing in case.things if thing.kept}
    notified = {t.id for t in case.things if t.kept and not (t.above and t.above.state is State.DELETED)}
    then = before.by_path
    for path, ids in then.items():
        stays = notified if path.endswith(".comment") else kept
        assert ids & stays <= now.ids(path), (now.viewer.name, path)
    if now.viewer.handle == "alice":
        own = {t.id for t in case.things if t.author == "alice" and t.sight(now.viewer) is Sight.ALL}
        for path in PATHS_OF_OWN:
            assert then[path] & own <= now.ids(path), path


def check_counts(case: VisibilityCase, reading: Reading) -> None:
    """Expects that counters show the number of public things to every viewer."""
    public = [thing for thing in case.things if thing.state is State.PUBLIC]
    roots = [(case.subjects[0], None), *((t.subject, t.root) for t in public if t.subject)]
    posts = sum(thing.business == "post" and thing.author == "alice" for thing in public)
    for node in reading.found:
        id_, value = node.value["id"], node.value
        where = (reading.viewer.name, node)
        if "commentCount" in value:
            comments = [root for subject, root in roots if subject == id_]
            assert (value["commentCount"], value["rootCommentCount"]) == (len(comments), comments.count(None)), where
        if "replyCount" in value:
            assert value["replyCount"] == sum(root == id_ for _, root in roots), where
    lists = reading.lists
    assert lists["author"]["postCount"] == posts
    if lists["topic"]:
        assert lists["topic"]["postCount"] == posts
    if lists["viewer"] and isinstance(lists["viewer"]["notified"], dict):
        assert lists["viewer"]["unreadNotificationCount"] == len(lists["viewer"]["notified"]["nodes"])


def check_queue(case: VisibilityCase, reading: Reading) -> None:
    """Expects that moderators find pending things of their businesses, and that other viewers find no queue."""
    viewer = reading.viewer
    pending = {t.id for t in case.things if t.state is State.WAITING and t.business in viewer.moderates}
    assert reading.ids("waiting.nodes") == pending, viewer.name
    assert (reading.lists["waiting"] is None) == (not viewer.moderates)


def check(case: VisibilityCase, reading: Reading) -> None:
    """Runs all checks of a reading for which all changes are stored."""
    check_private(case, reading)
    check_queue(case, reading)
    check_replied_to(case, reading)
    check_nodes(case, reading)
    check_counts(case, reading)


def pages(lists: Any) -> dict[str, Any]:
    """Returns the pages of an answer by their names, which are also the names of their cursors."""
    found: dict[str, Any] = {}
    for name, value in (lists or {}).items():
        if isinstance(value, dict):
            found |= {name: value} if "pageInfo" in value else pages(value)
    return found


async def cursors(case: VisibilityCase, public: Mapping[str, Reading]) -> dict[str, dict[str, str]]:
    """Returns the cursors after the first node, by viewer and list."""
    found = {}
    for name, viewer in case.viewers.items():
        sizes = dict.fromkeys((f"{list_name}First" for list_name in pages(public[name].lists)), 1)
        lists = pages(await ask(Reading(viewer), LISTS, **sizes))
        found[name] = {list_name: page["pageInfo"]["endCursor"] for list_name, page in lists.items() if page["nodes"]}
    return found


async def check_pages(whole: Reading) -> None:
    """Expects that a page with the size of the whole list has all nodes and no next page."""
    sizes = {name: len(page["nodes"]) for name, page in pages(whole.lists).items()}
    again = pages(await ask(whole, LISTS, **{f"{name}First": max(1, size) for name, size in sizes.items()}))
    for name, page in again.items():
        found = len(page["nodes"]), len(page["edges"]), page["pageInfo"]["hasNextPage"]
        assert found == (sizes[name], sizes[name], False), (whole.viewer.name, name)


def check_paths(case: VisibilityCase, readings: list[Reading]) -> None:
    """Expects that every field of the schema that can lead to a thing led to things that are withdrawn later."""
    ids: dict[str, set[str]] = defaultdict(set)
    for reading in readings:
        for node in reading.found:
            for coordinate in node.coordinates:
                ids[coordinate].add(node.value["id"])
    public = [thing for thing in case.things if thing.state is State.PUBLIC and not thing.kept]
    fates = {
        "Post": [{thing.id} for thing in public if thing.business == "post"],
        "Comment": [
            {thing.id for thing in public if thing.business == "comment" and thing.fate is fate}
            for fate in (State.REJECTED, State.DELETED)
        ],
    }
    missing = [
        coordinate
        for coordinate, kinds in leading_fields("Query").items()
        for kind in kinds
        if coordinate not in ELSEWHERE
        and "moderationlog" not in coordinate.lower()  # for moderators: tests/features/moderation_log
        # olga's post is the only post with a pinned comment
        if not (any if coordinate == "Post.pinnedComment" else all)(
            ids[coordinate] & of_fate for of_fate in fates[kind]
        )
    ]
    assert not missing, "\n".join(missing)
