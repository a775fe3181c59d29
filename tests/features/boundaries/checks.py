"""Compares the model of boundaries with the API's answers, the rows, and the caches, when nothing is pending."""

from collections.abc import Mapping
from typing import Any

from store.people.boundaries import Boundaries
from tests.features.boundaries.model import Model
from tests.support.system import Person, System

PAGE = """query ($users: [ID!]!, $posts: [ID!]!) {
  users: nodes(ids: $users) { ... on User { viewerRelation viewerBlocks viewerMutes followerCount followingCount
    followers(first: 50) { nodes { handle } } following(first: 50) { nodes { handle } } } }
  posts: nodes(ids: $posts) { ... on Post { likeCount viewerReaction commentCount likers(first: 50) { nodes { handle } }
    comments(first: 100) { nodes { author { handle } } } } }
  square(first: 100) { nodes { author { handle } } }
  viewer { home(first: 100) { nodes { author { handle } } }
    blocks(first: 50) { nodes { handle } } mutes(first: 50) { nodes { handle } } } }"""
_PAIRS = {
    "blocks": "SELECT user_id, blocked_id FROM blocks WHERE stands",
    "blocked_by": "SELECT blocker_id, user_id FROM blocked_by WHERE stands",
    "mutes": "SELECT user_id, muted_id FROM mutes WHERE until_ms > 0",
    "following": "SELECT user_id, followee_id FROM following",
    "followers": "SELECT follower_id, user_id FROM followers",
    "likes": "SELECT user_id, p.author_id FROM reactions r JOIN posts p ON p.post_id = r.entity_id WHERE state = 1",
    "comments": """SELECT c.author_id, p.author_id FROM comment_contents c JOIN posts p ON p.post_id = c.subject_id
      WHERE NOT c.deleted""",
}
"""SQL for pairs of users by what the pairs are."""


async def check_rows(system: System, model: Model, ids: Mapping[str, int]) -> None:
    """Compares the rows with the model. Each thing is stored once."""
    names = {user_id: name for name, user_id in ids.items()}
    found = {
        what: sorted((names[who], names[other]) for who, other in await system.rows(sql) if who in names)
        for what, sql in _PAIRS.items()
    }
    blocks, follows = sorted(model.blocks), sorted(model.follows)
    assert found == {
        "blocks": blocks,
        "blocked_by": blocks,
        "mutes": sorted(model.mutes),
        "following": follows,
        "followers": follows,
        "likes": sorted(model.likes),
        "comments": sorted(model.comments),
    }
    assert {pair for pair, mark in model.marks.items() if mark > 0} == model.blocks
    assert not {pair[::-1] for pair in blocks} & set(follows)
    suspended = await system.rows("SELECT user_id, suspended FROM users WHERE suspended IS NOT NULL")
    assert {names[user] for user, _ in suspended if user in names} == model.suspended.keys()


async def check_caches(system: System, model: Model, ids: Mapping[str, int]) -> None:
    """Compares the cached sets of all users with the model."""
    for name, user_id in ids.items():
        found = await system.state.boundaries.read(system.state.boundaries.ask(user_id))
        assert _named(found, ids) == (
            {other for who, other in model.blocks if who == name},
            {other for who, other in model.mutes if who == name},
            {who for who, other in model.blocks if other == name},
        ), name
        followees = await system.state.follows.followees(user_id)
        if followees is not None:
            assert set(followees) == {ids[other] for other in model.followees(name)}, name


def _named(found: Boundaries, ids: Mapping[str, int]) -> tuple[set[str], ...]:
    names = {user_id: name for name, user_id in ids.items()}
    assert found.blockers is not None
    return tuple({names[user] for user in users} for users in (found.blocks, found.mutes, found.blockers))


async def check_answers(
    model: Model, people: Mapping[str, Person], ids: Mapping[str, int], posts: Mapping[str, str]
) -> None:
    """Compares what each user is shown with the model."""
    handles = {person.handle: name for name, person in people.items()}
    for viewer, person in people.items():
        asked = {"users": [f"User:{user_id}" for user_id in ids.values()], "posts": list(posts.values())}
        answer = _Answer(model, viewer, handles, await person.ask(PAGE, **asked))
        for number, other in enumerate(people):
            answer.check_user(other, answer.data["users"][number])
            answer.check_post(other, answer.data["posts"][number])
        answer.check_lists(set(people))


class _Answer:
    """What one viewer is shown."""

    def __init__(self, model: Model, viewer: str, handles: Mapping[str, str], data: Any) -> None:
        self.data = data
        self._model, self._viewer, self._handles = model, viewer, handles

    def check_user(self, other: str, seen: Any) -> None:
        model, viewer = self._model, self._viewer
        assert (seen is None) == model.hides(viewer, other), (viewer, other, seen)
        if seen:
            lists = {name: self._shown(seen.pop(name)) for name in ("followers", "following")}
            expected = {"followers": model.followers(other), "following": model.followees(other)}
            assert lists == {name: self._visible(users) for name, users in expected.items()}, (viewer, other)
            assert seen == {
                "viewerRelation": "SELF" if viewer == other else model.relation(viewer, other),
                "viewerBlocks": (viewer, other) in model.blocks,
                "viewerMutes": (viewer, other) in model.mutes,
                "followerCount": len(expected["followers"]),
                "followingCount": len(expected["following"]),
            }, (viewer, other)

    def check_post(self, author: str, seen: Any) -> None:
        model, viewer = self._model, self._viewer
        assert (seen is None) == model.hides(viewer, author), (viewer, author, seen)
        if seen:
            likers = {who for who, other in model.likes if other == author}
            comments = [who for who, other in model.comments if other == author]
            assert self._shown(seen.pop("likers")) == self._visible(likers), (viewer, author)
            written = [self._handles[node["author"]["handle"]] for node in seen.pop("comments")["nodes"]]
            assert sorted(written) == sorted(who for who in comments if not model.leaves_out(viewer, who))
            assert seen == {
                "likeCount": len(likers),
                "viewerReaction": "LIKE" if viewer in likers else None,
                "commentCount": len(comments),
            }, (viewer, author)

    def check_lists(self, people: set[str]) -> None:
        model, viewer, shown = self._model, self._viewer, self.data["viewer"]
        listed = {other for other in people if not model.leaves_out(viewer, other)}
        assert self._authors(self.data["square"]) == listed, viewer
        assert self._authors(shown["home"]) == listed & (model.followees(viewer) | {viewer}), viewer
        for name, pairs in (("blocks", model.blocks), ("mutes", model.mutes)):
            others = {other for who, other in pairs if who == viewer}
            hidden = {other for other in others if model.suspended.get(other) in ("HIDDEN", "SHADOW")}
            hidden |= {other for other in others if name == "mutes" and model.hides(viewer, other)}
            assert self._shown(shown[name]) == others - hidden, (viewer, name)

    def _authors(self, page: Any) -> set[str]:
        found = [node["author"]["handle"] for node in page["nodes"]]
        assert len(found) == len(set(found)), "each author has one post"
        return {self._handles[handle] for handle in found if handle in self._handles}

    def _shown(self, page: Any) -> set[str]:
        found = [self._handles[node["handle"]] for node in page["nodes"]]
        assert len(found) == len(set(found))
        return set(found)

    def _visible(self, users: set[str]) -> set[str]:
        return {user for user in users if not self._model.hides(self._viewer, user)}
