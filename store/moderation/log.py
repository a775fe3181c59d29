"""The moderation log: one row for each decision, added in the transaction of the decision and never changed."""

import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from sqlalchemy import TextClause, text

from domain.moderation.author_reputation import Decision, DecisionKind
from models.base import at, ms
from models.counters import EntityRef
from models.moderation_log import LogRow, ModerationAction, ModerationRole
from settings import USERS
from store.cache.lists import Item
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_COLUMNS = "log_id, moment, action, role, actor_id, business_id, entity_id, user_id, before, after, reason, ground"
_WRITE = text(f"""
    INSERT INTO moderation_log ({_COLUMNS})
    SELECT * FROM unnest(CAST(:ids AS bigint[]), CAST(:moments AS bigint[]), CAST(:actions AS smallint[]),
                         CAST(:roles AS smallint[]), CAST(:actors AS bigint[]), CAST(:businesses AS smallint[]),
                         CAST(:entities AS bigint[]), CAST(:users AS bigint[]), CAST(:before AS text[]),
                         CAST(:after AS text[]), CAST(:reasons AS text[]), CAST(:grounds AS text[]))
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - constants
_PAGE = f"""
    SELECT {_COLUMNS} FROM moderation_log WHERE (moment, log_id) < (:moment, :member){{where}}
    ORDER BY moment DESC, log_id DESC LIMIT :count
"""  # noqa: S608 - constants
_FILTERS = {
    "target": " AND business_id = :business AND entity_id = :entity",
    "user": " AND user_id = :user",
    "actor": " AND actor_id = :actor",
}
_PAGES: dict[tuple[str, ...], TextClause] = {
    chosen: text(_PAGE.format(where="".join(_FILTERS[name] for name in chosen)))
    for chosen in ((), ("target",), ("user",), ("actor",), ("target", "user"), ("target", "actor"), ("user", "actor"))
} | {("target", "user", "actor"): text(_PAGE.format(where="".join(_FILTERS.values())))}
_EXPORT = text(f"""
    SELECT {_COLUMNS} FROM moderation_log WHERE (moment, log_id) > (:moment, :member)
    ORDER BY moment, log_id LIMIT :count
""")  # noqa: S608 - constants
_MOST_DECISIONS = 200
"""How many of the newest decisions about an author are read."""
_ABOUT_AUTHORS = text(f"""
    SELECT user_id, moment, action, business_id, entity_id FROM (
        SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY moment DESC, log_id DESC) AS position
        FROM moderation_log
        WHERE user_id = ANY(CAST(:users AS bigint[])) AND moment >= :since AND moment < :until AND after IS NOT NULL
          AND ((action = {ModerationAction.REJECTED:d} AND business_id <> {USERS})
               OR action = {ModerationAction.REPORTS_ACCEPTED:d}
               OR (action = {ModerationAction.APPROVED:d} AND role = {ModerationRole.MODERATOR:d}))
    ) AS newest
    WHERE position <= {_MOST_DECISIONS}
""")  # noqa: S608 - constants
# A granted appeal against labels, or against the dismissal of a report, approves nothing.
_MATCHED = text(f"""
    SELECT business_id, entity_id FROM moderation_log
    WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
      AND after IS NOT NULL AND role IN ({ModerationRole.MODERATOR:d}, {ModerationRole.REVIEWER:d})
    GROUP BY business_id, entity_id
    HAVING max(moment) FILTER (WHERE role = {ModerationRole.REVIEWER:d} AND after LIKE '%"match"\\:true%') > coalesce(
        max(moment) FILTER (WHERE action IN ({ModerationAction.APPROVED:d}, {ModerationAction.APPEAL_GRANTED:d})
                              AND role = {ModerationRole.MODERATOR:d}
                              AND (before IS NULL OR before !~ '"restriction"\\:"(LABELED|REPORT_DISMISSED)"')), 0)
""")  # noqa: S608 - constants
_DECISION_KINDS = {
    ModerationAction.REJECTED: DecisionKind.REJECTED,
    ModerationAction.APPROVED: DecisionKind.APPROVED,
    ModerationAction.REPORTS_ACCEPTED: DecisionKind.REPORTS_ACCEPTED,
}
_TOTALS = text(f"""
    SELECT user_id, action, count(*) FROM moderation_log
    WHERE user_id = ANY(CAST(:users AS bigint[])) AND after IS NOT NULL
      AND NOT (action = {ModerationAction.REJECTED:d} AND business_id = {USERS})
    GROUP BY 1, 2
""")  # noqa: S608 - constants
_DECIDED = text("SELECT role, action, count(*) FROM moderation_log WHERE moment > :moment GROUP BY 1, 2")
_LAST = (1 << 63) - 1
_BATCH = 1000


Span = tuple[datetime, datetime]
"""A span of time: (begin, end). The end does not belong to it."""


class LogLine(NamedTuple):
    """A line to add to the log: who decided what, when, in which role and why. `actor_id` is None if no user decided.
    `ref` is the target, and `user_id` its author or owner. `before` and `after` are the states of the target; `after`
    is None if the decision had no effect.
    """

    moment: int
    action: ModerationAction
    role: ModerationRole
    actor_id: int | None
    ref: EntityRef
    user_id: int | None
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
    reason: str | None
    ground: str | None = None
    """The name of the ground that the decision names; None if it names none."""
    until_ms: int | None = None
    """When a suspension ends, in milliseconds since the Unix epoch; None for one without an end, and for other
    decisions. The log has it in `after`.
    """

    @property
    def decision(self) -> Decision | None:
        """Returns the line as the risk rule about an author's earlier decisions takes it
        (domain/moderation/author_reputation.py); None if the rule does not count it.
        """
        approved_by_others = self.action is ModerationAction.APPROVED and self.role is not ModerationRole.MODERATOR
        if self.after is None or self.action not in _DECISION_KINDS or approved_by_others:
            return None
        return _decision(self.moment, self.action, self.ref)

    @property
    def log_id(self) -> int:
        """Returns the id of the line: a hash of what it records, so a repeated change adds no second line."""
        what = self.moment, self.action, self.role, self.actor_id, *self.ref, self.user_id
        digest = hashlib.blake2b(orjson.dumps(what), digest_size=8).digest()
        return int.from_bytes(digest, "big") >> 1


class LogFilter(NamedTuple):
    """Selects lines of the log by their target, by its author or owner (`user`), and by the user who decided (`actor`).
    All filters that are not None must match.
    """

    target: EntityRef | None = None
    user: int | None = None
    """The author or owner of the target."""
    actor: int | None = None


async def write(transaction: Transaction, lines: Iterable[LogLine]) -> None:
    """Adds lines to the log. Leaves out lines that the log already has."""
    values = [
        (
            *(line.log_id, line.moment, int(line.action), int(line.role), line.actor_id, *line.ref),
            *(line.user_id, _json(line.before), _json(line.after), line.reason, line.ground),
        )
        for line in lines
    ]
    names = "ids", "moments", "actions", "roles", "actors", "businesses", "entities", "users", "before", "after"
    if values:
        await transaction.execute(_WRITE, **columns(values, *names, "reasons", "grounds"))


async def decisions_about(transaction: Transaction, users: Iterable[int], times: Span) -> dict[int, list[Decision]]:
    """Returns, by user, the newest decisions about these users and their content in a span of time: at most 200 for
    each user, in any order. Leaves out decisions that the risk rule about earlier decisions does not count.
    """
    return _decisions(await transaction.execute(_ABOUT_AUTHORS, users=sorted(users), **_moments(times)))


async def decisions_about_author(postgres: Postgres, user_id: int, times: Span) -> list[Decision]:
    """Returns the decisions about one user as `decisions_about` does, but reads them outside a transaction."""
    return _decisions(await postgres.read(_ABOUT_AUTHORS, users=[user_id], **_moments(times))).get(user_id, [])


async def page(postgres: Postgres, wanted: LogFilter, after: Item | None, count: int) -> list[LogRow]:
    """Returns up to `count` lines that match `wanted`, newest first, beginning after the item `after`; None: with the
    newest line.
    """
    chosen = tuple(name for name, value in wanted._asdict().items() if value is not None)
    moment, member = after or (_LAST, _LAST)
    parameters: dict[str, Any] = {name: getattr(wanted, name) for name in chosen if name != "target"}
    if wanted.target:
        parameters |= {"business": wanted.target.business_id, "entity": wanted.target.entity_id}
    rows = await postgres.read(_PAGES[chosen], moment=moment, member=member, count=count, **parameters)
    return list(map(_row, rows))


async def export(postgres: Postgres, since_moment: int) -> AsyncIterator[LogRow]:
    """Yields all lines whose moment is at least `since_moment`, oldest first. A moment contains a time
    (domain/versions.py).
    """
    moment, member = since_moment, -1
    while True:
        rows = list(map(_row, await postgres.read(_EXPORT, moment=moment, member=member, count=_BATCH)))
        for row in rows:
            yield row
        if len(rows) < _BATCH:
            return
        moment, member = rows[-1].moment, rows[-1].log_id


def _moments(times: Span) -> dict[str, int]:
    since, until = times
    return {"since": ms(since) << 10, "until": ms(until) << 10}


def _decisions(rows: Iterable[Any]) -> dict[int, list[Decision]]:
    return grouped(
        (user_id, _decision(moment, ModerationAction(action), EntityRef(business_id, entity_id)))
        for user_id, moment, action, business_id, entity_id in rows
    )


def _decision(moment: int, action: ModerationAction, ref: EntityRef) -> Decision:
    return Decision(at(moment >> 10), _DECISION_KINDS[action], ref)


async def totals(postgres: Postgres, users: Sequence[int]) -> Mapping[int, Mapping[ModerationAction, int]]:
    """Returns the number of decisions about these users and their content, by user, then by action. Does not count
    decisions without effect, and rejections of profile texts.
    """
    found: dict[int, dict[ModerationAction, int]] = {}
    for user, action, count in await postgres.read(_TOTALS, users=users):
        found.setdefault(user, {})[ModerationAction(action)] = count
    return found


async def decided_since(postgres: Postgres, moment: int) -> dict[tuple[ModerationRole, ModerationAction], int]:
    """Returns the number of decisions in the log after a moment, by (role, action)."""
    rows = await postgres.read(_DECIDED, moment=moment)
    return {(ModerationRole(role), ModerationAction(action)): count for role, action, count in rows}


def _json(state: Mapping[str, Any] | None) -> str | None:
    return None if state is None else orjson.dumps(state).decode()


def _row(row: Iterable[Any]) -> LogRow:
    log_id, moment, action, role, actor, business, entity, user, before, after, reason, ground = row
    ref = EntityRef(business, entity)
    return LogRow(
        log_id, moment, ModerationAction(action), ModerationRole(role), actor, ref, user, before, after, reason, ground
    )


async def matched(postgres: Postgres, refs: Sequence[EntityRef]) -> set[EntityRef]:
    """Returns those of these objects that the external reviewer has recognized as known illegal content, and that no
    moderator has approved since.
    """
    rows = await postgres.read(_MATCHED, **columns(refs, "businesses", "entities"))
    return {EntityRef(business, entity) for business, entity in rows} & {*refs}
