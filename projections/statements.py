"""Makes the statements of reasons of a batch: what the persons are told about restrictions of their content and
accounts, and about the outcome of their reports.

`of` makes the statement about a decision, given as the line of the moderation log about it. A projection adds a
restriction of a new kind to a batch with `batch.statements.append(statements.of(…))`.
"""

from collections.abc import Iterable, Mapping

from domain.moderation.statements import FoundBy, Restriction
from domain.moderation.verdicts import AuditStatus
from domain.versions import SEQUENCE_BITS, moment_of
from models.counters import EntityRef
from models.moderation_log import ModerationAction, ModerationRole
from models.statements import StatementRow
from models.users import SuspensionMode
from projections.batch import Batch, RowChange
from settings import COLLECTIONS, USERS, Settings
from store.moderation import cases, statements
from store.moderation.log import LogLine
from store.moderation.statements import Ended
from store.notifications.untold import UntoldEvents
from store.outgoing.events.statements import STATEMENT_CREATED
from store.outgoing.new_events import OutgoingEvents
from store.postgres.client import Transaction

_RESTRICTIONS: Mapping[ModerationAction, Restriction] = {
    ModerationAction.REJECTED: Restriction.REJECTED,
    ModerationAction.DELETED: Restriction.DELETED,
    ModerationAction.SUSPENDED: Restriction.SUSPENDED,
    ModerationAction.WARNED: Restriction.WARNED,
    ModerationAction.LABELED: Restriction.LABELED,
}
"""The actions in the moderation log that restrict a user or the user's content."""
_ENDS: Mapping[ModerationAction, Restriction] = {
    ModerationAction.SUSPENDED: Restriction.SUSPENDED,
    ModerationAction.REINSTATED: Restriction.SUSPENDED,
    ModerationAction.LABELED: Restriction.LABELED,
    ModerationAction.APPROVED: Restriction.MADE_PRIVATE,
}
"""The actions in the moderation log that end or replace an earlier restriction of the same target."""
_ABOUT_USERS = frozenset({ModerationAction.SUSPENDED, ModerationAction.WARNED})
_AUTOMATED = frozenset({ModerationRole.RULES, ModerationRole.REVIEWER})
DELETED = {
    ModerationRole.OWNER: "The owner of the post or object that you commented on deleted your comment.",
    ModerationRole.MODERATOR: "A moderator deleted your comment.",
}
_HELD = "is not public until a moderator decides about it"
_LABELED = "The automated moderation set a label on what you wrote"


def of(
    line: LogLine,
    restriction: Restriction,
    settings: Settings,
    *,
    found_by: FoundBy,
    user_id: int | None = None,
    facts: str | None = None,
) -> StatementRow:
    """Returns the statement about the decision that `line` records. The statement is for the user `user_id`. If this is
    None, it is for the author, owner or user whom the line names. `facts` take the place of the reason of the line.
    """
    user_id = user_id or line.user_id
    assert user_id is not None
    return StatementRow(
        user_id=user_id,
        statement_id=line.log_id,
        moment=line.moment,
        restriction=restriction,
        ref=line.ref,
        ground=line.ground or settings.default_ground,
        facts=facts or line.reason,
        found_by=found_by,
        is_automated=line.role in _AUTOMATED,
        actor_id=line.actor_id,
        until_ms=line.until_ms,
    )


def with_title(message: str, ground: str | None, settings: Settings) -> str:
    """Returns the text of a notification about a decision, with the title of the ground that the decision names."""
    named = settings.grounds.get(ground) if ground else None
    return f"{message} ({named.title})" if named else message


async def write(batch: Batch) -> None:
    """Writes the statements of a batch, with those about the lines that it adds to the moderation log. Ends the
    statements about restrictions that it lifts or replaces, and stores appeals against rejections in their statements.
    Adds notifications and outgoing events about new statements to the batch.
    """
    lines = [line for line in batch.log if line.after is not None and line.user_id is not None]
    rows = [*batch.statements, *await _about_lines(batch, lines)]
    if rows:
        added = await statements.add(batch.transaction, rows)
        announce(added, batch.untold, batch.outgoing)
    if batch.content_appeals:
        await statements.appeal_content(batch.transaction, batch.content_appeals)
    if batch.closed_content_appeals:
        await statements.close_content(batch.transaction, batch.closed_content_appeals)
    if ended := [*_ended_by(lines), *_ended_of_content(batch, lines)]:
        await statements.end(batch.transaction, ended)


async def of_reviewer(
    transaction: Transaction,
    line: LogLine,
    restriction: Restriction,
    settings: Settings,
    untold: UntoldEvents,
    outgoing: OutgoingEvents,
) -> None:
    """Writes the statement about a decision of the external reviewer outside a batch. `line` records the decision. Adds
    the notification and the outgoing event to `untold` and `outgoing`.
    """
    row = of(line, restriction, settings, found_by=FoundBy.AUTOMATED)
    announce(await statements.add(transaction, [row]), untold, outgoing)


def announce(added: Iterable[StatementRow], untold: UntoldEvents, outgoing: OutgoingEvents) -> None:
    """Adds the outgoing events of new statements. Adds notifications about the restrictions that no other notification
    is about.
    """
    for row in added:
        version = row.moment >> 10 << SEQUENCE_BITS | row.moment & 1023
        outgoing.add(
            *(STATEMENT_CREATED, row.user_id, row.ref.business_id, version, (row.user_id, row.statement_id)),
            entity=row.ref.entity_id,
            business=row.ref.business_id,
            restriction=row.restriction.name,
            ground=row.ground,
            facts=row.facts,
            found_by=row.found_by.name,
            automated=row.is_automated,
            since_ms=row.since_ms,
            until_ms=row.until_ms,
        )
        if message := _message(row):
            untold.moderated(row.user_id, row.ref, version, message)


def _message(row: StatementRow) -> str | None:
    """Returns the text of the notification about a new statement; None if the decision itself notifies the person."""
    if row.restriction is Restriction.SUSPENDED:
        return f"A moderator suspended your account: {row.facts}"
    if row.restriction is Restriction.HELD:
        return f"What you wrote {_HELD}: {row.facts}"
    if row.restriction is Restriction.LABELED and row.is_automated:
        return f"{_LABELED}: {row.facts}"
    return row.facts if row.restriction is Restriction.DELETED else None


async def _about_lines(batch: Batch, lines: Iterable[LogLine]) -> list[StatementRow]:
    """Returns the statements about the lines of the moderation log that record restrictions."""
    restricting = [line for line in lines if line.action in _RESTRICTIONS and _is_told(line)]
    if not restricting:
        return []
    users = {line.ref for line in restricting if line.action in _ABOUT_USERS}
    found: dict[object, FoundBy] = {
        (line.ref, line.moment): FoundBy.REPORTS if line.before["reports"] else FoundBy.NOTICE
        for line in batch.log
        if line.action is ModerationAction.REPORTS_ACCEPTED and line.before and any(line.before.values())
    }
    reported = await cases.reported_among(batch.transaction, users) if users else ()
    found |= dict.fromkeys(reported, FoundBy.REPORTS)
    return [
        of(
            line,
            _restriction(line),
            batch.state.settings,
            found_by=_found_by(line, found.get((line.ref, line.moment)) or found.get(line.ref)),
            facts=DELETED[line.role] if line.action is ModerationAction.DELETED else None,
        )
        for line in restricting
    ]


def _restriction(line: LogLine) -> Restriction:
    """Returns what a line of the moderation log restricts."""
    others = {USERS: Restriction.PROFILE_REJECTED, COLLECTIONS: Restriction.MADE_PRIVATE}
    restriction = _RESTRICTIONS[line.action]
    return others.get(line.ref.business_id, restriction) if restriction is Restriction.REJECTED else restriction


def _found_by(line: LogLine, told: FoundBy | None) -> FoundBy:
    """Returns how the content or the user of a decision was found. `told` is who told the moderators; None if nobody
    did. A post or comment that waited for approval without reports was found by rules or by the external reviewer.
    """
    if line.role in _AUTOMATED:
        return FoundBy.AUTOMATED
    waited = line.before is not None and line.before.get("status") == AuditStatus.PENDING.name
    return told or (FoundBy.AUTOMATED if waited else FoundBy.OWN_INITIATIVE)


def _is_told(line: LogLine) -> bool:
    """Returns whether the person gets a statement: not about a suspension without notice, or the removal of labels."""
    after = line.after or {}
    shadow = after.get("mode") == SuspensionMode.SHADOW.name
    return not shadow and (line.action is not ModerationAction.LABELED or bool(after.get("labels")))


def _ended_by(lines: Iterable[LogLine]) -> list[Ended]:
    """Returns the suspensions and labels that decisions have replaced or ended. The rules and the external reviewer
    only add labels, so earlier labels stay in force.
    """
    return [
        Ended(line.user_id, line.ref, _ENDS[line.action], line.moment)
        for line in lines
        if line.action in _ENDS and line.user_id is not None and not _adds_labels(line)
    ]


def _adds_labels(line: LogLine) -> bool:
    return line.action is ModerationAction.LABELED and line.role in _AUTOMATED


def _ended_of_content(batch: Batch, lines: Iterable[LogLine]) -> list[Ended]:
    """Returns the holds and rejections of posts and comments that the changes of a batch have ended or replaced."""
    rejected: dict[EntityRef, int] = {}
    for line in lines:
        if line.action is ModerationAction.REJECTED:
            rejected[line.ref] = max(line.moment, rejected.get(line.ref, 0))
    ended = []
    for change in batch.changes:
        row, now = change.after, moment_of(change.through) + 1
        status = None if row.deleted else row.status
        last = rejected.get(row.ref)
        if status is AuditStatus.REJECTED and last:
            now = last
        if last or (change.was_rejected and status is not AuditStatus.REJECTED):
            ended.append(Ended(row.author_id, row.ref, Restriction.REJECTED, now))
        if row.deleted and row.moderator_labels:
            ended.append(Ended(row.author_id, row.ref, Restriction.LABELED, now))
        if status is not AuditStatus.PENDING and _was_held(change):
            ended.append(Ended(row.author_id, row.ref, Restriction.HELD, now))
    return ended


def _was_held(change: RowChange) -> bool:  # type: ignore[type-arg]
    """Returns whether a post or comment has waited for approval, so that there may be a statement about it. An edit
    does not end the wait, so the age of the content does not tell for how long it has waited.
    """
    return change.before is not None and change.before.status is AuditStatus.PENDING
