"""An author who sets who may comment on a post and pins posts and comments, a guest who comments, and the check of the
rows.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from models.comment_settings import CommentPolicy
from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Answer, Client
from tests.failures.faults.content_checks import number
from tests.support.comment_policies import SET_POLICY, policy_of
from tests.support.comments import ADD, COMMENTS
from tests.support.comments import number as comment_number
from tests.support.pinned_comments import PIN, pinned_on
from tests.support.pinned_posts import PIN_POST, pinned_by
from tests.support.posts import published
from tests.support.system import Api

_SETTINGS = text("SELECT policy, pinned_id FROM comment_settings WHERE key = :post")
_COMMENTS = text("SELECT text FROM comment_contents WHERE author_id = :guest")
_PINS = text("SELECT post_id FROM pinned_posts WHERE user_id = :author AND pinned ORDER BY version DESC")


@dataclass
class Restricting:
    """The two users, who act one after the other. `pins` tells of each post of the author whether it may be pinned."""

    author: Client
    guest: Client
    pins: dict[str, set[bool]]
    names: Iterator[str]
    policies: set[str] = field(default_factory=lambda: {"EVERYONE"})
    """The possible policies of the first post."""
    comments: dict[str, set[int]] = field(default_factory=dict)
    """How often each comment of the guest may be stored."""
    pinned: set[str | None] = field(default_factory=lambda: {None})
    """The possible pinned comments of the first post."""

    @property
    def post(self) -> str:
        """The post that the guest comments on."""
        return next(iter(self.pins))

    async def act(self) -> None:
        """Performs one random step. Raises OutcomeUnknown if its outcome stays unknown."""
        await random.choice([self._restrict, self._comment, self._pin, self._pin_comment])()

    async def _restrict(self) -> None:
        policy = random.choice([*CommentPolicy]).name
        self.policies.add(policy)
        answer = await self._send(self.author, SET_POLICY, id=self.post, policy=policy)
        self.policies = {policy}
        shown = answer.value["subject"]
        if answer.whole and shown and shown["commentPolicy"] != policy:
            self.author.broken.append(f"{self.post} shows {shown} after {policy}")

    async def _comment(self) -> None:
        """Comments. The policy that holds for the guest may be an older one."""
        name = next(self.names)
        self.comments[name] = {0, 1}
        variables = {"subject": self.post, "to": None, "text": name, "key": name}
        answer = await self.guest.insist(name, ADD, "COMMENTS_RESTRICTED", **variables)
        if answer is None:
            raise OutcomeUnknown
        if not answer.value["userErrors"]:
            self.comments[name] = {1}
        elif name not in self.guest.repeated:  # otherwise an earlier attempt may have been accepted
            self.comments[name] = {0}

    async def _pin(self) -> None:
        # Mostly pins, so that some posts are pinned at the end: the checker must find pins that were not stored.
        post, pins = random.choice([*self.pins]), random.random() < 0.8
        self.pins[post].add(pins)
        answer = await self._send(self.author, PIN_POST % ("pinPost" if pins else "unpinPost"), id=post)
        self.pins[post] = {pins}
        shown = (answer.value["user"] or {}).get("pinnedPosts")
        if answer.whole and shown is not None and ({"id": post} in shown) is not pins:
            self.author.broken.append(f"the pinned posts are {shown}, but {post} is pinned: {pins}")

    async def _pin_comment(self) -> None:
        """Pins a comment that the author sees, or unpins the pinned one. Where the database has lost the comment for a
        moment, the request is refused.
        """
        before, name = set(self.pinned), next(self.names)
        comment = random.choice([*before])
        pins = comment is None or random.random() < 0.7
        if pins and (comment := await self._seen_comment()) is None:
            return
        self.pinned.add(comment if pins else None)
        query = PIN % ("pinComment" if pins else "unpinComment")
        answer = await self.author.insist(name, query, "TARGET_NOT_FOUND", id=comment, key=name)
        if answer is None:
            raise OutcomeUnknown
        if answer.value["userErrors"]:
            if name not in self.author.repeated:  # otherwise an earlier attempt may have been accepted
                self.pinned = before
            return
        self.pinned = {comment} if pins else before - {comment} | {None}
        subject, expected = answer.value["subject"], {"id": comment} if pins else None
        if answer.whole and subject and len(self.pinned) == 1 and subject["pinnedComment"] != expected:
            self.author.broken.append(f"{self.post} shows {subject} where {expected} was requested")

    async def _seen_comment(self) -> str | None:
        """Returns a comment on the first post that the author sees, or None."""
        answer = await self.author.read(COMMENTS, id=self.post, sort="NEWEST")
        node = answer.value if answer else None
        found = [one["id"] for one in ((node or {}).get("comments") or {}).get("nodes") or () if not one["deleted"]]
        return random.choice(found) if found else None

    async def _send(self, client: Client, query: str, **variables: Any) -> Answer:
        name = next(self.names)
        answer = await client.insist(name, query, key=name, **variables)
        if answer is None:
            raise OutcomeUnknown
        return answer


async def restricting(author: Client, guest: Client, names: Iterator[str]) -> Restricting:
    """Registers the two users, and publishes the posts of the author. The first one mentions the guest. Waits up to
    thirty seconds until the guest sees the posts.
    """
    await guest.person.id()
    posts = await published(author.person, f"for @{guest.handle}", "another")
    for _ in range(300):
        if all((await guest.person.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=posts))["nodes"]):
            break
        await asyncio.sleep(0.1)
    else:
        author.broken.append(f"{posts} are not shown")
    return Restricting(author, guest, {post: {False} for post in posts}, names)


async def restriction_violations(stores: State, api: Api, restricting: Sequence[Restricting]) -> list[str]:
    """Returns a sentence for each policy, comment and pin that is not as it was acknowledged or refused."""
    found, read = list[str](), stores.postgres.read
    for one in restricting:
        author, guest = api.person(one.author.handle), api.person(one.guest.handle)
        rows = await read(_SETTINGS, post=str(number(one.post)))
        policy = CommentPolicy(rows[0].policy).name if rows else "EVERYONE"
        shown = [(await policy_of(viewer, one.post))[0] for viewer in (author, guest)]
        if policy not in one.policies or shown != [policy] * 2:
            found.append(f"the policy of {one.post} is {policy}, shown as {shown}, instead of {one.policies}")
        pinned_id, possible = rows[0].pinned_id if rows else 0, set(map(_comment_number, one.pinned))
        seen = [_comment_number(await pinned_on(viewer, one.post)) for viewer in (author, guest)]
        if pinned_id not in possible or seen != [pinned_id] * 2:
            found.append(f"the pinned comment of {one.post} is {pinned_id}, shown as {seen}, instead of {one.pinned}")
        stored = Counter(row.text for row in await read(_COMMENTS, guest=number(await guest.id())))
        for name, times in one.comments.items():
            if stored[name] not in times:
                found.append(f"the comment {name} is stored {stored[name]} times instead of {times}")
        pinned = [f"Post:{row.post_id}" for row in await read(_PINS, author=number(await author.id()))]
        if wrong := [post for post, states in one.pins.items() if (post in pinned) not in states]:
            found.append(f"{wrong} of the pinned posts {pinned} are not as acknowledged: {one.pins}")
        if any([await pinned_by(viewer, author.handle) != pinned for viewer in (author, guest)]):
            found.append(f"{author.handle} is not shown with the pinned posts {pinned}")
    return found


def _comment_number(id_: str | None) -> int:
    """Returns the numeric part of a comment's id; 0 for None."""
    return 0 if id_ is None else comment_number(id_)
