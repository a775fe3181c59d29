"""Sends every read query as a viewer, and checks that the response has only what the viewer may see."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.features.visibility.hidden_things import VisibilityCase, hidden
from tests.features.visibility.permitted_fields import permitted
from tests.features.visibility.read_queries import BOARDS, LISTS, NODES, one_by_one
from tests.features.visibility.schema_paths import Met, leading, met
from tests.features.visibility.things import Sight, State, Thing, Viewer

REFUSED = {"FORBIDDEN", "UNAUTHENTICATED"}
"""What whoever is no moderator is told of the queue."""
REACTIONS = ("likeCount", "dislikeCount", "likers")
"""What is shown of reactions to something."""
OF_THE_AUTHORS = ["author.written.nodes", "square.nodes", "viewer.home.nodes", *(
    f"entity.{sort}.nodes" for sort in ("newest", "oldest", "hottest"))]  # fmt: skip
"""Where authors find what they have written, whoever else sees it."""


@dataclass
class Reading:
    """What one person was told by all roads."""

    viewer: Viewer
    bodies: list[str] = field(default_factory=list)
    found: list[Met] = field(default_factory=list)
    lists: Any = None
    nodes: Any = None

    def ids(self, path: str) -> set[str]:
        """What was found by these keys."""
        return {one.value["id"] for one in self.found if one.path == path}

    @property
    def by_path(self) -> Mapping[str, set[str]]:
        """All that was found."""
        paths: dict[str, set[str]] = defaultdict(set)
        for one in self.found:
            paths[one.path].add(one.value["id"])
        return paths


async def ask(reading: Reading, query: str, **variables: Any) -> Any:
    """The data; what the viewer has no right to ask is refused."""
    if reading.viewer.businesses is not None:
        query, _ = permitted(query, reading.viewer.businesses)
    response = await reading.viewer.send(query, **variables)
    body = response.json()
    codes = {error["extensions"]["code"] for error in body.get("errors", [])}
    assert codes <= REFUSED, body["errors"]
    assert not body["extensions"].get("degraded"), body["extensions"]
    reading.bodies.append(response.text)
    reading.found += met(query, body["data"])
    return body["data"]


_AT_ONCE = 8
"""So many things that are asked for by themselves make no plan beyond its limit."""


async def read(case: VisibilityCase, viewer: Viewer) -> Reading:
    """All roads, once."""
    reading = Reading(viewer)
    reading.lists, reading.nodes, *_ = await asyncio.gather(
        ask(reading, LISTS),
        ask(reading, NODES, ids=case.ids),
        ask(reading, BOARDS),
        *(ask(reading, one_by_one(case.ids[start : start + _AT_ONCE])) for start in range(0, len(case.ids), _AT_ONCE)),
    )
    return reading


async def read_by_all(case: VisibilityCase) -> dict[str, Reading]:
    """By viewer."""
    return {name: await read(case, viewer) for name, viewer in case.viewers.items()}


def check_private(case: VisibilityCase, reading: Reading) -> None:
    """Nothing of what is hidden is there, and of what has only its place left, only that."""
    viewer = reading.viewer
    for thing in hidden(case.things, viewer, Sight.NOTHING):
        assert not any(number(thing) in body for body in reading.bodies), (viewer.name, thing)
    for thing in hidden(case.things, viewer, Sight.PLACE, Sight.NOTHING):
        assert not any(thing.text in body for body in reading.bodies), (viewer.name, thing)
        for one in reading.found:
            if one.value["id"] == thing.id:
                where = (viewer.name, thing, one.path)
                assert thing.sight(viewer) is Sight.PLACE, where
                assert [one.value[name] for name in ("deleted", "said", "author")] == [True, None, None], where
                assert one.value["auditStatus"] == "APPROVED", where
                assert all(one.value.get(name) is None for name in REACTIONS), where


def number(thing: Thing) -> str:
    """Returns the digits that the ids of all things contain."""
    return re.findall(r"\d+", thing.id)[-1]  # type: ignore[no-any-return]


def check_answered(case: VisibilityCase, reading: Reading) -> None:
    """Of whom a reply answers the viewer knows what they know of what it answers."""
    for thing in case.things:
        if thing.above:
            seen = thing.above.sight(reading.viewer) is Sight.ALL
            for one in reading.found:
                if one.value["id"] == thing.id:
                    author = {"handle": thing.above.author} if seen else None
                    assert one.value["repliedTo"] == author, (reading.viewer.name, thing)


def check_found(case: VisibilityCase, reading: Reading) -> None:
    """By their ids things are what they are to the viewer, and what is hidden is like what never was."""
    shown = dict(zip(case.ids, reading.nodes["nodes"], strict=True))
    for thing in case.things:
        sight, node = thing.sight(reading.viewer), shown[thing.id]
        where = (reading.viewer.name, thing, node)
        assert (node is None) == (sight is Sight.NOTHING), where
        if sight is Sight.ALL:
            assert (node.get("text") or node.get("said")).removesuffix("!") == thing.text, where
    alone = {one.value["id"] for one in reading.found if one.coordinates == ("Query.node",)}
    assert alone == {id_ for id_, node in shown.items() if node}


def check_kept(case: VisibilityCase, now: Reading, before: Reading) -> None:
    """What nobody has withdrawn is wherever it was; and authors find their own."""
    kept = {thing.id for thing in case.things if thing.kept}
    then = before.by_path
    for path, ids in then.items():
        assert ids & kept <= now.ids(path), (now.viewer.name, path)
    if now.viewer.handle == "alice":
        own = {t.id for t in case.things if t.author == "alice" and t.sight(now.viewer) is Sight.ALL}
        for path in OF_THE_AUTHORS:
            assert then[path] & own <= now.ids(path), path


def check_counts(case: VisibilityCase, reading: Reading) -> None:
    """Counters count what everybody sees, for everybody."""
    public = [thing for thing in case.things if thing.state is State.PUBLIC]
    roots = [(case.subjects[0], None), *((t.subject, t.root) for t in public if t.subject)]
    posts = sum(thing.business == "post" and thing.author == "alice" for thing in public)
    for one in reading.found:
        id_, value = one.value["id"], one.value
        where = (reading.viewer.name, one)
        if "commentCount" in value:
            said = [root for subject, root in roots if subject == id_]
            assert (value["commentCount"], value["rootCommentCount"]) == (len(said), said.count(None)), where
        if "replyCount" in value:
            assert value["replyCount"] == sum(root == id_ for _, root in roots), where
    lists = reading.lists
    assert lists["author"]["postCount"] == posts
    if lists["topic"]:
        assert lists["topic"]["postCount"] == posts
    if lists["viewer"] and isinstance(lists["viewer"]["told"], dict):
        assert lists["viewer"]["unreadNotificationCount"] == len(lists["viewer"]["told"]["nodes"])


def check_queue(case: VisibilityCase, reading: Reading) -> None:
    """Moderators find what waits for them, and nobody else finds a queue."""
    viewer = reading.viewer
    waits = {t.id for t in case.things if t.state is State.WAITING and t.business in viewer.moderates}
    assert reading.ids("waiting.nodes") == waits, viewer.name
    assert (reading.lists["waiting"] is None) == (not viewer.moderates)


def check(case: VisibilityCase, reading: Reading) -> None:
    """All of it, once everything has been stored."""
    check_private(case, reading)
    check_queue(case, reading)
    check_answered(case, reading)
    check_found(case, reading)
    check_counts(case, reading)


def pages(lists: Any) -> dict[str, Any]:
    """The pages of an answer by their names, which are those of their cursors."""
    found: dict[str, Any] = {}
    for name, value in (lists or {}).items():
        if isinstance(value, dict):
            found |= {name: value} if "pageInfo" in value else pages(value)
    return found


async def cursors(case: VisibilityCase, public: Mapping[str, Reading]) -> dict[str, dict[str, str]]:
    """Where everybody's first pages of one end, by viewer and list."""
    found = {}
    for name, viewer in case.viewers.items():
        sizes = dict.fromkeys((f"{of}First" for of in pages(public[name].lists)), 1)
        lists = pages(await ask(Reading(viewer), LISTS, **sizes))
        found[name] = {of: page["pageInfo"]["endCursor"] for of, page in lists.items() if page["nodes"]}
    return found


async def check_pages(whole: Reading) -> None:
    """A page for all that the viewer sees has all of it and knows of nothing more."""
    sizes = {of: len(page["nodes"]) for of, page in pages(whole.lists).items()}
    again = pages(await ask(whole, LISTS, **{f"{of}First": max(1, size) for of, size in sizes.items()}))
    for of, page in again.items():
        found = len(page["nodes"]), len(page["edges"]), page["pageInfo"]["hasNextPage"]
        assert found == (sizes[of], sizes[of], False), (whole.viewer.name, of)


def check_roads(case: VisibilityCase, readings: list[Reading]) -> None:
    """Every field of the schema that can lead to things did lead to such as are withdrawn afterwards."""
    led: dict[str, set[str]] = defaultdict(set)
    for reading in readings:
        for one in reading.found:
            for coordinate in one.coordinates:
                led[coordinate].add(one.value["id"])
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
        for coordinate, kinds in leading("Query").items()
        for kind in kinds
        if not all(led[coordinate] & some for some in fates[kind])
    ]
    assert not missing, "\n".join(missing)
