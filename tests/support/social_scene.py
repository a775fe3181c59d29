"""Alice, bob and carol, who follow each other, with content of bob wherever the API shows content; and a query that
reads all of it.
"""

import asyncio
import re
from collections import defaultdict
from dataclasses import dataclass

import httpx

from tests.support.collections import created, save_into
from tests.support.comments import add
from tests.support.content_follows import follow_entities, follow_topics, show_topics_in_home
from tests.support.follows import follow
from tests.support.pinned_comments import pin
from tests.support.pinned_posts import pin_post
from tests.support.posts import publish
from tests.support.quotes import quote
from tests.support.reactions import react
from tests.support.reposts import repost
from tests.support.schema_paths import found_nodes
from tests.support.search import stored
from tests.support.suggestions import compute, compute_missing
from tests.support.system import Person, System

_FRAGMENTS = {
    "Shown": """on Node { ...Brief ... on Reactable {
      likers { nodes { ...Person } edges { node { ...Person } } } likedByFollowed { ...Person } } }""",
    "Quoted": """on Node { __typename id ... on Post { facets { user { ...Person } }
      quote { post { __typename id author { ...Person } } } } ... on Comment { facets { user { ...Person } } } }""",
    "Reacted": """on Node { __typename id ... on Reactable { reactors(kind: "like") { ...People } }
      ... on Post { quotes { ...Posts } reposters { ...People } } }""",
    "Brief": """on Node { __typename id ... on User { handle } ... on Post { text author { ...Person } }
      ... on Comment { commentText: text author { ...Person } repliedTo { ...Person } }
      ... on Entity { owner { ...Person } } }""",
    "Person": "on User { __typename id handle }",
    "People": "on UserConnection { nodes { ...Person } edges { node { ...Person } } }",
    "Posts": "on PostConnection { nodes { ...Brief } edges { node { ...Brief } } }",
    "Comments": "on CommentConnection { nodes { ...Brief } edges { node { ...Brief } } }",
    "Liked": "on ReactableConnection { nodes { ...Brief } edges { node { ...Brief } } }",
}


def _whole(query: str) -> str:
    """Returns a document of a query and the fragments that it uses."""
    document, used = query, set[str]()
    while new := set(re.findall(r"\.\.\.(\w+)", document)) - used - {"on"}:
        used |= new
        document += "".join(f" fragment {name} {_FRAGMENTS[name]}" for name in sorted(new))
    return document


_BOARDS = " ".join(
    f'{of}{window}: leaderboard(business: "{of}", window: {window}, first: 100) {{ node {{ ...Brief }} }}'
    for of in ("post", "comment")
    for window in ("DAY", "WEEK", "ALL")
)
_LISTS = [
    f"query Boards {{ {_BOARDS} }}",
    """query Feeds { square { ...Posts } hot: square(sort: HOT) { ...Posts }
      topic(name: "cats") { posts { ...Posts } hot: posts(sort: HOT) { ...Posts } }
      viewer { user { ...Person } home { ...Posts edges { repostedBy { nodes { ...Person } } } }
        recommended { ...Posts } feed: followedTopicsFeed { ...Posts }
        suggestedUsers { user { ...Person } followedBy { ...Person } } } }""",
    """query Search($carols: ID!, $video: ID!) {
      first: searchPosts(query: "post", first: 1) { ...Posts } best: searchPosts(query: "post") { ...Posts }
      newest: searchPosts(query: "post", sort: NEWEST) { ...Posts }
      bobs: searchPosts(query: "from:bob") { ...Posts }
      comments: searchComments(subjectId: $carols, query: "bob's") { ...Comments }
      firstComment: searchComments(subjectId: $carols, query: "comment", first: 1) { ...Comments }
      newestComments: searchComments(subjectId: $carols, query: "s", sort: NEWEST) { ...Comments }
      onVideo: searchComments(subjectId: $video, query: "comment") { ...Comments }
      searchEntities(business: "video", query: "from:bob") { nodes { ...Brief } } }""",
    """query Searches { searchUsers(query: "bob") { ...People } suggestHandles(prefix: "bo") { ...Person } }""",
    """query Notifications { viewer { notifications {
      nodes { message actors { ...Person } subject { ...Brief } comment { ...Shown } }
      edges { node { actors { ...Person } subject { ...Brief } comment { ...Brief } } } } } }""",
    """query People { carol: user(handle: "carol") {
      followers { ...People } following { ...People } friends { ...People } posts { ...Posts }
      likes { ...Liked } likedComments: likes(business: "comment") { ...Liked } } }""",
    """query Comments($carols: ID!, $root: ID!, $video: ID!) {
      video: node(id: $video) { ...Shown ... on Entity { pinnedComment { ...Brief } comments { ...Comments } } }
      subject: node(id: $carols) { ...Shown ... on Commentable { pinnedComment { ...Brief }
        newest: comments(sort: NEWEST) { ...Comments } oldest: comments(sort: OLDEST) { ...Comments }
        hottest: comments(sort: HOT) { ...Comments } } }
      root: node(id: $root) { ...Shown ... on Comment { replies { ...Comments } } } }""",
    """query Reactions($others: [ID!]!) { nodes(ids: $others) { ...Reacted }
      entity(business: "article", key: "article") { reactors(kind: "😂") { ...People } } }""",
]
LISTS = list(map(_whole, _LISTS))
"""All lists of content and people, except those of bob."""
_SINGLE = [
    """query Nodes($ids: [ID!]!) { nodes(ids: $ids) { ...Shown
      ... on Comment { subject { ...Brief } root { ...Brief } parent { ...Brief } } } }""",
    """query Single($answered: ID!, $user: ID!) { root: node(id: $answered) { ...Shown } profile: node(id: $user) {
      ...Brief } entity(business: "video", key: "bobs") { ...Shown }
      entities(business: "video", keys: ["bobs"]) { ...Brief } }""",
    """query Saved { viewer { saved { nodes { target { ...Brief } } edges { node { target { ...Brief } } } } }
      user(handle: "carol") { collections { nodes { owner { ...Person } items { nodes { target { ...Brief } } } } } }
    }""",
    """query Profile { person: user(handle: "bob") { ...Person collections { nodes { owner { ...Person }
      items { nodes { target { ...Brief } } } } } posts { ...Posts } likes { ...Liked }
      pinnedPosts { ...Shown } followers { ...People } following { ...People } friends { ...People } } }""",
    """query Quotes($ids: [ID!]!, $others: [ID!]!) {
      nodes(ids: $ids) { ...Quoted } others: nodes(ids: $others) { ...Quoted } }""",
]
SINGLE = list(map(_whole, _SINGLE))
"""Single objects, the lists of bob, and lists of saved objects, to which mutes do not apply."""


@dataclass
class Scene:
    """Three users and the ids of their content."""

    system: System
    alice: Person
    bob: Person
    carol: Person
    bob_id: str
    bobs: list[str]
    """The ids of bob's post, his comments on carol's post, his reply, and his comment on a video."""
    carols: str
    """The id of carol's post."""
    root: str
    """The id of carol's comment on her post, to which bob and dave reply."""
    answered: str
    """The id of bob's comment to which carol has replied."""
    people: list[int]
    """The numbers of alice, bob and carol."""
    others: list[str]
    """The ids of carol's reply to bob, of her comment on bob's post, of her quote of this post, and of the video."""

    @property
    def on_bobs(self) -> str:
        """The id of carol's comment on bob's post, which is hidden with the post."""
        return self.others[1]


async def made(system: System) -> Scene:
    """Makes the scene. All of it is stored and published."""
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    a, b, c = await alice.id(), await bob.id(), await carol.id()
    await asyncio.gather(follow(alice, b, c), follow(bob, a, c), follow(carol, a, b))
    await alice.ask("{ viewer { home { nodes { id } } } }")
    (bobs_video,) = await system.videos("bobs", owner="bob")
    (video,) = await system.videos("open", owner="carol")
    await system.drain()
    carols = (await publish(carol, "carol's post for @bob", "cats"))["post"]["id"]
    await system.drain()
    post = (await quote(bob, carols, "bob's post for @alice", "cats", entity=video))["post"]["id"]
    alices = (await publish(alice, "alice's post"))["post"]["id"]
    await system.drain()
    quoting = (await quote(carol, post, "carol's quote"))["post"]["id"]
    await repost(bob, carols)
    await repost(carol, post)
    (article,) = await system.videos("article", business="article", owner="carol")
    assert (await react(bob, article, "😂"))["userErrors"] == []
    for person in (alice, bob, carol):
        await follow_topics(person, "cats")
        await follow_entities(person, video)
        await show_topics_in_home(person)
    plain = (await add(bob, carols, "bob's comment"))["comment"]["id"]
    answered = (await add(bob, carols, "bob's answered comment"))["comment"]["id"]
    root = (await add(carol, carols, "carol's comment for @bob"))["comment"]["id"]
    await add(bob, alices, "bob's comment for alice")
    await system.drain()
    reply = (await add(bob, carols, "bob's reply", root))["comment"]["id"]
    below = (await add(carol, carols, "carol's reply", answered))["comment"]["id"]
    on_bobs = (await add(carol, post, "carol's comment on the other post"))["comment"]["id"]
    on_video = (await add(bob, video, "bob's comment on a video"))["comment"]["id"]
    for liked in (carols, alices, root, video, bobs_video):
        await bob.like(liked)
    for liked in (post, plain, answered):
        await carol.like(liked)
    await system.drain()
    for person in (alice, bob, carol):
        into = await created(person, "public", public=True)
        await save_into(person, into, carols, post, plain, answered, reply, bobs_video)
    await follow(bob, await system.person("dave").id())
    await pin_post(bob, post)
    for comment in (plain, on_video):
        assert (await pin(carol, comment))["userErrors"] == []
    await stored(system)
    await compute(system, alice, bob, carol)
    people = [int(id_.partition(":")[2]) for id_ in (a, b, c)]
    bobs = [post, plain, answered, reply, on_video]
    return Scene(system, alice, bob, carol, b, bobs, carols, root, answered, people, [below, on_bobs, quoting, video])


async def answers(scene: Scene, reader: Person) -> list[tuple[str, httpx.Response]]:
    """Reads everything as one person. Returns each query with its answer."""
    variables = {
        "ids": [scene.bob_id, *scene.bobs, scene.root, *scene.others],
        "answered": scene.answered,
        "user": scene.bob_id,
    }
    variables |= {"carols": scene.carols, "root": scene.root, "video": scene.others[-1]}
    variables["others"] = [scene.carols, scene.root, *scene.others]
    found = []
    for query in (*LISTS, *SINGLE):
        declared = query.partition("{")[0]
        used = {name: value for name, value in variables.items() if f"${name}:" in declared}
        found.append((query, await reader.send(query, **used)))
    return found


async def read(scene: Scene, reader: Person) -> tuple[dict[str, set[str]], list[str]]:
    """Reads everything as one person. Returns the coordinates of fields that led to bob or his content, each with the
    ids found there; and the texts of all answers.
    """
    await compute_missing(scene.system, scene.people)
    found: dict[str, set[str]] = defaultdict(set)
    wanted, bodies = {scene.bob_id, *scene.bobs}, list[str]()
    for query, response in await answers(scene, reader):
        body = response.json()
        assert "errors" not in body, body["errors"]
        assert not body["extensions"].get("degraded"), body["extensions"]
        bodies.append(response.text)
        for node in found_nodes(query, body["data"]):
            if node.value["id"] in wanted:
                for coordinate in node.coordinates:
                    found[coordinate].add(node.value["id"])
    return found, bodies


def traces(scene: Scene, bodies: list[str]) -> list[str]:
    """Returns what the answers contain of bob, and of carol's comment on his post. His answered comment has a
    tombstone with its id.
    """
    number = scene.bob_id.partition(":")[2]
    ids = [id_ for id_ in [*scene.bobs, scene.on_bobs] if id_ != scene.answered]
    return [word for word in (number, '"bob"', "bob's", *ids) if any(word in body for body in bodies)]


async def check_hidden(scene: Scene, reader: Person) -> None:
    """Checks that a person reads nothing of bob."""
    found, bodies = await read(scene, reader)
    assert traces(scene, bodies) == []
    assert set().union(*found.values()) <= {scene.answered}


PROFILE = """{ user(handle: "bob") { posts { nodes { id } } likes { nodes { __typename } } followers { nodes { id } }
  following { nodes { id } } friends { nodes { id } } } }"""


async def check_closed(scene: Scene, reader: Person) -> None:
    """Checks that a reader sees the profile and the comments of bob, and nothing of his post, likes and lists."""
    found, bodies = await read(scene, reader)
    text = "".join(bodies)
    assert not any(scene.bobs[0] in ids for ids in found.values())
    assert "bob's post" not in text
    assert scene.on_bobs not in text
    assert scene.bob_id in found["Query.user"]
    assert found["Query.nodes"] == {scene.bob_id, *scene.bobs[1:]}
    assert not [
        name for name in found if name.endswith((".likers", ".likedByFollowed")) and scene.bob_id in found[name]
    ]
    lists = (await reader.ask(PROFILE))["user"]
    assert not [name for name, page in lists.items() if page["nodes"]]
