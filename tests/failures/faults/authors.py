"""Authors who publish, edit, delete, comment, follow, view and share, and record what was acknowledged.

Every text begins with its idempotency key, so the rows show how often each operation took effect.
"""

import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.failures.faults.client import Answer, Client
from tests.support.actions import RECORD
from tests.support.comments import ADD
from tests.support.comments import DELETE as DELETE_COMMENT
from tests.support.comments import EDIT as EDIT_COMMENT
from tests.support.posts import DELETE, EDIT, PUBLISH

FOLLOW = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { viewerRelation } userErrors { code } } }"""
RECORDS = {
    "recordViews": RECORD % "recordViews",
    "recordShares": RECORD % "recordShares",
    "recordActions": RECORD.replace("$ids})", '$ids, action: "opens"})') % "recordActions",
}
"""Queries by their mutation. `opens` is the counter of posts in tests/businesses.toml."""
HOME = "{ viewer { home(first: 20) { nodes { id text author { handle } } } } }"
TEXT_OF = "query ($id: ID!) { node(id: $id) { ... on Post { post: text } ... on Comment { comment: text } } }"
TEMPORARY = "temporary"
"""A word in posts and comments that are deleted soon. Other users do not use them."""


class OutcomeUnknown(Exception):
    """Raised if the outcome of a write stays unknown. Later writes to the same object would prove nothing."""


@dataclass(slots=True)
class Written:
    """A post, or a comment on the post `subject`. While a write is not answered, it may be in several states."""

    name: str
    author_id: int
    texts: list[str]
    subject: str | None = None
    id: str | None = None
    acknowledged: bool | None = None
    """Whether its creation is acknowledged; None if that is unknown."""
    deleted: bool | None = False

    @property
    def stays(self) -> bool:
        """Returns whether the object certainly exists and its text is certain."""
        return self.acknowledged is True and self.deleted is False and len(self.texts) == 1


@dataclass(slots=True)
class Tally:
    """Counts of views, shares or opens of a post: requests sent, and users whose requests were acknowledged."""

    requests: int = 0
    by: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Library:
    """All posts and comments, the possible states of each follow, and all recorded views, shares and opens."""

    written: list[Written] = field(default_factory=list)
    follows: dict[tuple[int, int], set[bool]] = field(default_factory=dict)
    records: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))


@dataclass
class Author:
    """One user, who acts sequentially. `others` are the users that the author may follow."""

    client: Client
    user_id: int
    others: Sequence[int]
    library: Library
    names: Iterator[str]
    found: list[str] = field(default_factory=list)
    """Ids of other authors' posts on the home page."""

    async def act(self) -> None:
        """Performs one random action. Raises OutcomeUnknown if its outcome stays unknown."""
        acts: Sequence[Callable[[], Awaitable[None]]] = [self._publish] * 2 + [self._comment] * 3
        await random.choice([*acts, self._edit, self._delete, self._follow, self._record, self._read_home])()

    async def _publish(self) -> None:
        post = self._begin()
        answer = await self._send(post.name, PUBLISH, text=post.texts[0], topics=[], images=[], key=post.name)
        await self._acknowledged(post, answer.value["post"])

    async def _comment(self) -> None:
        if self.found:
            comment = self._begin(random.choice(self.found))
            arguments = {"subject": comment.subject, "to": None, "text": comment.texts[0], "key": comment.name}
            answer = await self._send(comment.name, ADD, **arguments)
            await self._acknowledged(comment, answer.value["comment"])

    def _begin(self, subject: str | None = None) -> Written:
        name = next(self.names)
        text = f"{name} {TEMPORARY}" if random.random() < 0.3 else name
        written = Written(name, self.user_id, [text], subject)
        self.library.written.append(written)
        return written

    async def _acknowledged(self, written: Written, seen: Any) -> None:
        written.acknowledged = True
        if seen:
            written.id = seen["id"]
            await self._look(written)

    async def _edit(self) -> None:
        if written := self._some(temporary=False):
            name = next(self.names)
            changed = f"{written.name} {name}"
            written.texts.append(changed)
            query, field = (EDIT_COMMENT, "commentId") if written.subject else (EDIT, "postId")
            await self._send(name, query, input={field: written.id, "text": changed, "idempotencyKey": name})
            del written.texts[0]
            await self._look(written)

    async def _delete(self) -> None:
        if written := self._some(temporary=True):
            written.deleted = None
            name = next(self.names)
            await self._send(name, DELETE_COMMENT if written.subject else DELETE, id=written.id)
            written.deleted = True
            await self._look(written)

    async def _follow(self) -> None:
        pair = self.user_id, random.choice(self.others)
        states = self.library.follows.setdefault(pair, {False})
        verb, follows = random.choice([("follow", True), ("follow", True), ("unfollow", False)])
        states.add(follows)
        name = next(self.names)
        answer = await self._send(name, FOLLOW % verb, id=f"User:{pair[1]}", key=name)
        states.intersection_update({follows})
        relation = (answer.value["user"] or {}).get("viewerRelation")
        if answer.whole and (relation in ("FOLLOWING", "FRIENDS")) is not follows:
            self.client.broken.append(f"{name} ({verb}) shows {relation}")

    async def _record(self) -> None:
        if self.found:
            verb, post = random.choice([*RECORDS]), random.choice(self.found)
            name, tally = next(self.names), self.library.records[verb, post]
            try:
                await self._send(name, RECORDS[verb], ids=[post])
                tally.by.append(self.user_id)
            finally:
                tally.requests += 1 + self.client.repeated.count(name)

    async def _read_home(self) -> None:
        answer = await self.client.read(HOME)
        if not (answer and answer.whole):
            return
        mine, others = list[Any](), list[Any]()
        for post in answer.value["home"]["nodes"]:
            (mine if post["author"]["handle"] == self.client.handle else others).append(post)
        self.found = [post["id"] for post in others if TEMPORARY not in post["text"]] or self.found
        texts = [post["text"] for post in mine]
        if len(texts) != len(set(texts)):
            self.client.broken.append(f"{self.client.handle} reads a post twice: {texts}")

    def _some(self, *, temporary: bool) -> Written | None:
        """Returns a post or comment of the author that can be changed, or None."""
        mine = [one for one in self.library.written if one.author_id == self.user_id and one.id and one.stays]
        fitting = [one for one in mine if (TEMPORARY in one.texts[0]) is temporary]
        return random.choice(fitting[-10:]) if fitting else None

    async def _look(self, written: Written) -> None:
        """Reads an object after the author's write and records a deviation."""
        answer = await self.client.read(TEXT_OF, id=written.id)
        if answer is None or not answer.whole:
            return
        shown = next(iter((answer.value or {}).values()), None)
        expected = None if written.deleted else written.texts[-1]
        if shown != expected:
            self.client.broken.append(f"{written.id} says {shown!r} instead of {expected!r}")

    async def _send(self, name: str, query: str, **variables: Any) -> Answer:
        answer = await self.client.insist(name, query, **variables)
        if answer is None or answer.value["userErrors"]:
            raise OutcomeUnknown
        return answer
