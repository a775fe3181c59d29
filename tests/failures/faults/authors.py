"""Authors who publish, edit, delete, comment, follow, view and share, and record what was acknowledged.

Every text begins with its idempotency key, so the rows show how often each operation took effect.
"""

import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.failures.faults.client import Answer, Client
from tests.support.comments import ADD
from tests.support.comments import DELETE as DELETE_COMMENT
from tests.support.posts import DELETE, EDIT, PUBLISH
from tests.support.views_and_shares import RECORD

FOLLOW = """mutation ($id: ID!, $key: String) { %s(input: {userId: $id, idempotencyKey: $key}) {
  user { viewerRelation } userErrors { code } } }"""
RECORDS = {
    "recordViews": RECORD % "recordViews",
    "recordShares": RECORD % "recordShares",
    "recordActions": RECORD.replace("$ids})", '$ids, action: "opens"})') % "recordActions",
}
"""Queries by their mutation. `opens` is the counter of posts in tests/businesses.toml."""
HOME = "{ viewer { home(first: 20) { nodes { id text author { handle } } } } }"
SAID = "query ($id: ID!) { node(id: $id) { ... on Post { post: text } ... on Comment { comment: text } } }"
PASSING = "in passing"
"""What is deleted soon says so: nobody else has anything to do with it."""


class GaveUp(Exception):
    """Nobody has said what became of something: what is done upon it would mean nothing."""


@dataclass(slots=True)
class Written:
    """A post, or a comment on one (`subject`). Of what nobody has answered there may be several states."""

    name: str
    author_id: int
    texts: list[str]
    subject: str | None = None
    id: str | None = None
    begun: bool | None = None
    """Whether it has been acknowledged; None if nobody knows."""
    gone: bool | None = False

    @property
    def stays(self) -> bool:
        """Whether it is there for certain, and says one thing for certain."""
        return self.begun is True and self.gone is False and len(self.texts) == 1


@dataclass(slots=True)
class Tally:
    """Of views, shares or opens of a post: how often they were asked for, and by whom with an answer."""

    asked: int = 0
    by: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Library:
    """Everything that was written, who follows whom (of a pair both, where nobody knows), and what was recorded."""

    written: list[Written] = field(default_factory=list)
    follows: dict[tuple[int, int], set[bool]] = field(default_factory=dict)
    records: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))


@dataclass
class Author:
    """One user, who does one thing after the other. `others` are those who may be followed."""

    client: Client
    user_id: int
    others: Sequence[int]
    library: Library
    names: Iterator[str]
    found: list[str] = field(default_factory=list)
    """Posts of others, which have been read."""

    async def act(self) -> None:
        """Something. Raises GaveUp."""
        acts: Sequence[Callable[[], Awaitable[None]]] = [self._publish] * 2 + [self._comment] * 3
        await random.choice([*acts, self._edit, self._delete, self._follow, self._record, self._read_home])()

    async def _publish(self) -> None:
        post = self._begin()
        answer = await self._told(post.name, PUBLISH, text=post.texts[0], topics=[], images=[], key=post.name)
        await self._begun(post, answer.value["post"])

    async def _comment(self) -> None:
        if self.found:
            comment = self._begin(random.choice(self.found))
            said = {"subject": comment.subject, "to": None, "text": comment.texts[0], "key": comment.name}
            answer = await self._told(comment.name, ADD, **said)
            await self._begun(comment, answer.value["comment"])

    def _begin(self, subject: str | None = None) -> Written:
        name = next(self.names)
        text = f"{name} {PASSING}" if random.random() < 0.3 else name
        written = Written(name, self.user_id, [text], subject)
        self.library.written.append(written)
        return written

    async def _begun(self, written: Written, seen: Any) -> None:
        written.begun = True
        if seen:
            written.id = seen["id"]
            await self._look(written)

    async def _edit(self) -> None:
        if post := self._some(passing=False, posts=True):
            name = next(self.names)
            changed = f"{post.name} {name}"
            post.texts.append(changed)
            await self._told(name, EDIT, input={"postId": post.id, "text": changed, "idempotencyKey": name})
            del post.texts[0]
            await self._look(post)

    async def _delete(self) -> None:
        if written := self._some(passing=True):
            written.gone = None
            name = next(self.names)
            await self._told(name, DELETE_COMMENT if written.subject else DELETE, id=written.id)
            written.gone = True
            await self._look(written)

    async def _follow(self) -> None:
        pair = self.user_id, random.choice(self.others)
        states = self.library.follows.setdefault(pair, {False})
        verb, follows = random.choice([("follow", True), ("follow", True), ("unfollow", False)])
        states.add(follows)
        name = next(self.names)
        answer = await self._told(name, FOLLOW % verb, id=f"User:{pair[1]}", key=name)
        states.intersection_update({follows})
        relation = (answer.value["user"] or {}).get("viewerRelation")
        if answer.whole and (relation in ("FOLLOWING", "FRIENDS")) is not follows:
            self.client.broken.append(f"{name} ({verb}) shows {relation}")

    async def _record(self) -> None:
        if self.found:
            verb, post = random.choice([*RECORDS]), random.choice(self.found)
            name, tally = next(self.names), self.library.records[verb, post]
            try:
                await self._told(name, RECORDS[verb], ids=[post])
                tally.by.append(self.user_id)
            finally:
                tally.asked += 1 + self.client.repeated.count(name)

    async def _read_home(self) -> None:
        answer = await self.client.read(HOME)
        if not (answer and answer.whole):
            return
        mine, others = list[Any](), list[Any]()
        for post in answer.value["home"]["nodes"]:
            (mine if post["author"]["handle"] == self.client.handle else others).append(post)
        self.found = [post["id"] for post in others if PASSING not in post["text"]] or self.found
        texts = [post["text"] for post in mine]
        if len(texts) != len(set(texts)):
            self.client.broken.append(f"{self.client.handle} finds their posts twice: {texts}")

    def _some(self, *, passing: bool, posts: bool = False) -> Written | None:
        """Something of one's own that may be changed."""
        mine = [one for one in self.library.written if one.author_id == self.user_id and one.id and one.stays]
        fitting = [one for one in mine if (PASSING in one.texts[0]) is passing]
        if posts:
            fitting = [one for one in fitting if not one.subject]
        return random.choice(fitting[-10:]) if fitting else None

    async def _look(self, written: Written) -> None:
        """Reads what has just been written."""
        answer = await self.client.read(SAID, id=written.id)
        if answer is None or not answer.whole:
            return
        said = next(iter((answer.value or {}).values()), None)
        expected = None if written.gone else written.texts[-1]
        if said != expected:
            self.client.broken.append(f"{written.id} says {said!r} where its author has said {expected!r}")

    async def _told(self, name: str, query: str, **variables: Any) -> Answer:
        answer = await self.client.insist(name, query, **variables)
        if answer is None or answer.value["userErrors"]:
            raise GaveUp
        return answer
