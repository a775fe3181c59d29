"""An author, a reporter and two moderators: reports, decisions and appeals about one post, and holds of a topic, one
after the other.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from domain.moderation.verdicts import AuditStatus
from models.topics import TopicState, topic_id
from state import State
from tests.failures.faults.authors import OutcomeUnknown
from tests.failures.faults.client import Client
from tests.support.appeals import APPEAL, DECIDE
from tests.support.reports import REPORT, RESOLVE
from tests.support.topics import SET_STATE

_STEPS = (*["report"] * 3, "resolve", *["decide"] * 3, "appeal", "appeal", "hold", "hold")
_STATUSES = {"APPROVE": AuditStatus.APPROVED, "REJECT": AuditStatus.REJECTED}
_POST = text("SELECT status FROM posts WHERE post_id = :post")
_HELD = text("SELECT held FROM topics WHERE topic_id = :topic")
_REPORT = text("SELECT count(*) AS count FROM reports WHERE entity_id = :post AND reporter_id = :reporter")


@dataclass
class Moderated:
    """The moderated post, with the statuses that it may have."""

    post_id: int
    reporter_id: int
    is_reported: bool = False
    """Whether a report was acknowledged."""
    statuses: set[AuditStatus] = field(default_factory=lambda: {AuditStatus.APPROVED})
    holds: set[bool] = field(default_factory=lambda: {False})
    """Whether the topic may be held."""

    @property
    def topic(self) -> str:
        """The name of the topic that moderators hold. No post has it."""
        return f"t{self.post_id}"


@dataclass
class Moderating:
    """The users who act on one post."""

    author: Client
    reporter: Client
    moderators: Sequence[Client]
    post: Moderated
    names: Iterator[str]

    async def act(self) -> None:
        """Performs one random step. Raises OutcomeUnknown if its outcome stays unknown."""
        await getattr(self, f"_{random.choice(_STEPS)}")()

    async def _report(self) -> None:
        """Reports. A report of a hidden post is answered and not stored."""
        value = await self._send(self.reporter, REPORT, reason="SPAM", note=None)
        self.post.is_reported |= value["target"] is not None

    async def _resolve(self) -> None:
        await self._send(random.choice(self.moderators), RESOLVE, resolution="DISMISS")

    async def _decide(self) -> None:
        """Decides. A moderator may not decide an appeal against their own decision."""
        decision = random.choice(list(_STATUSES))
        before = self.post.statuses
        self.post.statuses = before | {_STATUSES[decision]}
        value = await self._send(random.choice(self.moderators), DECIDE, "NOT_ALLOWED", decision=decision)
        self.post.statuses = before if value["userErrors"] else {_STATUSES[decision]}

    async def _hold(self) -> None:
        """Holds the topic, or opens it."""
        state = random.choice([*TopicState])
        self.post.holds.add(state is TopicState.HELD)
        name = next(self.names)
        given = {"name": self.post.topic, "state": state.value, "idempotencyKey": name}
        if await self.moderators[0].insist(name, SET_STATE, input=given) is None:
            raise OutcomeUnknown
        self.post.holds = {state is TopicState.HELD}

    async def _appeal(self) -> None:
        await self._send(self.author, APPEAL, "NOT_ALLOWED", "ALREADY_APPEALED", text="please")

    async def _send(self, client: Client, query: str, *refusals: str, **variables: Any) -> Any:
        name = next(self.names)
        target = f"Post:{self.post.post_id}"
        if "$key" in query:
            variables["key"] = name
        answer = await client.insist(name, query, *refusals, id=target, **variables)
        if answer is None:
            raise OutcomeUnknown
        return answer.value


async def moderation_violations(stores: State, posts: Sequence[Moderated]) -> list[str]:
    """Returns a sentence for each post whose last decision, report or hold of the topic is not stored. Reconciliation
    compares cases and appeals.
    """
    found = []
    for post in posts:
        rows = await stores.postgres.read(_POST, post=post.post_id)
        if not rows:
            found.append(f"post {post.post_id} is lost")
            continue
        (row,) = rows
        if AuditStatus(row.status) not in post.statuses:
            found.append(f"post {post.post_id} is {AuditStatus(row.status).name} instead of {post.statuses}")
        (reports,) = await stores.postgres.read(_REPORT, post=post.post_id, reporter=post.reporter_id)
        if post.is_reported and not reports.count:
            found.append(f"the report of post {post.post_id} is lost")
        rows = await stores.postgres.read(_HELD, topic=topic_id(post.topic))
        if (bool(rows) and rows[0].held) not in post.holds:
            found.append(f"whether the topic {post.topic} is held is not {post.holds}")
    return found
