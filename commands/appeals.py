"""appeal and decideAppeal: a person asks another moderator to decide again about a rejected post or comment, or about
another restriction, and the moderator decides.
"""

import orjson

from commands import targets
from commands.changes import ModerationStep
from commands.early_step import EarlyStep
from commands.targets import ReportTarget
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import Refused, UserErrorCode
from domain.ids import StatementId, parse_id
from domain.moderation.appeals import AppealStatus
from domain.moderation.statements import APPEALABLE, LIFTED_BY_APPEAL, Restriction
from domain.moderation.verdicts import AuditStatus
from identity.permissions import ModeratorRole
from models.moderation_steps import APPEAL, APPEAL_STATEMENT, DECIDE_APPEAL
from models.statements import StatementRow
from settings import COMMENTS
from store.moderation import appeals, statements
from store.moderation.reviews import ModeratedRow

_LONGEST_TEXT = 1000
_LONGEST_REASON = 500
_DAY_MS = 86_400_000


async def appeal(
    context: Context, target_id: str, text: str, idempotency_key: str | None
) -> ModeratedRow | StatementRow:
    """Appeals against the rejection of the viewer's post or comment, or against the decision in a statement of reasons
    for the viewer. `target_id` is the id of the post, comment or statement. One appeal is possible against each
    decision, for posts and comments against each version of their content. Returns the post, comment or statement.

    Raises Unauthenticated, BadInput, Unavailable; Forbidden if the token is for other businesses, and for a statement
    if it is restricted to businesses; Refused with TARGET_NOT_FOUND, TARGET_DELETED, NOT_ALLOWED if the post or comment
    is not rejected or its content was removed, if there is nothing to appeal against, if the restriction was lifted or
    replaced, and if the time for an appeal is over, ALREADY_APPEALED, TEXT_TOO_LONG, TEXT_INVALID,
    IDEMPOTENCY_MISMATCH, or INVALID for an empty text. A suspension does not prevent an appeal.
    """
    write = Write(context, "appeal", idempotency_key, target_id, text)
    text = texts.user_text(text, _LONGEST_TEXT, "text", empty=False)
    answer: ModeratedRow | StatementRow
    async with write:
        parsed = parse_id(target_id)
        if isinstance(parsed, StatementId):
            answer = statement = await _statement(context, parsed)
            await write.ready()  # a repeated request gets the first outcome
            step = await _against_statement(context, statement, text)
        else:
            answer, step = await _against_rejection(context, target_id, text)
        await write.append(step)
    return answer


async def _against_rejection(context: Context, target_id: str, text: str) -> tuple[ModeratedRow, ModerationStep]:
    """Returns the viewer's post or comment with this id, and the appeal against its rejection. Raises Refused if the
    viewer may not appeal.
    """
    row = await targets.own_content(context, target_id, "targetId")
    postgres = context.state.postgres
    standing = await statements.standing(postgres, row.author_id, row.ref, Restriction.REJECTED)
    if standing:
        _check_time(context, standing)
    return row, await _content_appeal(context, row, text)


async def _against_statement(context: Context, row: StatementRow, text: str) -> ModerationStep:
    """Returns the appeal against the decision in a statement for the viewer. Raises Refused if the viewer may not
    appeal.
    """
    _check_appealable(context, row)
    if row.restriction is Restriction.REJECTED:
        return await _content_appeal(context, await _content_of(context, row), text)
    return ModerationStep(APPEAL_STATEMENT, row.ref, await _statement_entry(context, row, text))


async def _content_appeal(context: Context, row: ModeratedRow, text: str) -> ModerationStep:
    """Returns the appeal against the rejection of a post or comment of the viewer. Raises Refused if the viewer may not
    appeal.
    """
    await _check_rejected(context, row)
    about = {"business": row.ref.business_id, "entity": row.ref.entity_id, "content": row.content_version}
    entry = orjson.dumps({"actor": context.require_viewer().user_id, **about, "text": text})
    return ModerationStep(APPEAL, row.ref, entry)


async def _statement(context: Context, id_: StatementId) -> StatementRow:
    """Returns the viewer's statement with this id. Raises Refused if there is none."""
    targets.check_unrestricted(context)
    viewer_id = context.require_viewer().user_id
    own = id_.user_id == viewer_id
    found = await statements.by_id(context.state.postgres, viewer_id, [id_.id]) if own else {}
    return targets.existing(found.get(id_.id), "You have no statement with this id.", "targetId")


def _check_appealable(context: Context, row: StatementRow) -> None:
    """Raises Refused if the viewer may not appeal against the decision in a statement for the viewer."""
    if row.restriction not in APPEALABLE:
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "There is nothing to appeal against.", "targetId")
    if row.appeal:
        message = "You have appealed against this decision before."
        raise Refused.because(UserErrorCode.ALREADY_APPEALED, message, "targetId")
    if row.ended_ms is not None:
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "The restriction was lifted or replaced.", "targetId")
    _check_time(context, row)


def _check_time(context: Context, row: StatementRow) -> None:
    """Raises Refused with NOT_ALLOWED if the time for an appeal is over."""
    days = context.state.settings.moderation.appeal_days
    if context.state.now_ms() > row.since_ms + int(days * _DAY_MS):
        message = "The time for an appeal against this decision is over."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "targetId")


async def _statement_entry(context: Context, row: StatementRow, text: str) -> bytes:
    """Returns the journal entry, as JSON, of an appeal against the decision in a statement."""
    business_id, entity_id = row.ref
    about, owner_id = business_id, None if row.restriction is Restriction.REPORT_DISMISSED else row.user_id
    if business_id == COMMENTS:
        comment = await context.content.kept_comments.load(entity_id)
        about = targets.existing(comment, "The comment does not exist any more.", "targetId").subject_business
    where = {"business": business_id, "entity": entity_id, "about": about, "owner": owner_id}
    return orjson.dumps({"actor": row.user_id, **where, "statement": row.statement_id, "text": text})


async def _content_of(context: Context, statement: StatementRow) -> ModeratedRow:
    """Returns the post or comment of the viewer that a statement is about. Raises Refused if it was deleted."""
    content, id_ = context.content, statement.ref.entity_id
    is_comment = statement.ref.business_id == COMMENTS
    row = await (content.kept_comments.load(id_) if is_comment else content.kept_posts.load(id_))
    if row is None or row.deleted:
        raise Refused.because(UserErrorCode.TARGET_DELETED, "This post or comment was deleted.", "targetId")
    return row


async def _check_rejected(context: Context, row: ModeratedRow) -> None:
    """Raises Refused if the viewer may not appeal against the rejection of this post or comment of the viewer."""
    if row.status is not AuditStatus.REJECTED:
        raise Refused.because(UserErrorCode.NOT_ALLOWED, "This post or comment is not rejected.", "targetId")
    if row.is_emptied:
        message = "The content was removed long after the rejection. Publish it again."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "targetId")
    earlier = await appeals.last(context.state.postgres, row.ref)
    decided_before = earlier and earlier.status is not AppealStatus.MOOT
    if earlier and decided_before and earlier.content_version >= row.content_version:
        message = "You have appealed against this rejection before."
        raise Refused.because(UserErrorCode.ALREADY_APPEALED, message, "targetId")


async def decide(
    context: Context, statement_id: str, reason: str, idempotency_key: str | None, *, granted: bool
) -> StatementRow:
    """Grants or denies the open appeal in a statement of reasons, except one about a rejected post or comment. If the
    appeal is granted and the restriction is in force, ends a suspension, removes the labels of moderators, or lets the
    owner make a collection public again. Returns the statement.

    Raises Unauthenticated, BadInput, Unavailable; Forbidden below the role LEAD, and if the token is
    restricted to businesses; Refused with TARGET_NOT_FOUND, SUSPENDED, NOT_ALLOWED if there is no open appeal, if the
    statement is for the viewer or about a decision of the viewer, and for a rejected post or comment, TEXT_TOO_LONG,
    TEXT_INVALID, IDEMPOTENCY_MISMATCH, or INVALID for an empty reason.
    """
    moderator_id = context.require_role(ModeratorRole.LEAD).user_id
    targets.check_unrestricted(context)
    parts = statement_id, granted, reason
    write = Write(context, "decideAppeal", idempotency_key, *parts, unless_suspended=True)
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    async with write:
        row = await _statement_of_anyone(context, statement_id)
        await write.ready()  # a repeated request gets the first outcome
        _check_decidable(row, moderator_id)
        lifts = granted and row.restriction in LIFTED_BY_APPEAL and row.end_ms(context.state.now_ms()) is None
        about = {"business": row.ref.business_id, "entity": row.ref.entity_id, "user": row.user_id}
        what = {"statement": row.statement_id, "granted": granted, "reason": reason}
        what |= {"lifts": int(row.restriction) if lifts else None}
        entry = orjson.dumps({"actor": moderator_id, **about, **what})
        reinstates = lifts and row.restriction is Restriction.SUSPENDED
        await write.append((EarlyStep if reinstates else ModerationStep)(DECIDE_APPEAL, row.ref, entry))
    context.forget()
    status = AppealStatus.GRANTED if granted else AppealStatus.DENIED
    return row._replace(appeal=row.appeal and row.appeal._replace(status=status))


async def _statement_of_anyone(context: Context, statement_id: str) -> StatementRow:
    """Returns the statement with this id. Raises Refused if there is none."""
    id_, message = parse_id(statement_id), "There is no statement with this id."
    found = (
        await statements.by_id(context.state.postgres, id_.user_id, [id_.id]) if isinstance(id_, StatementId) else {}
    )
    return targets.existing(found.get(id_.id) if isinstance(id_, StatementId) else None, message, "statementId")


def _check_decidable(row: StatementRow, moderator_id: int) -> None:
    """Raises Refused if the viewer may not decide an appeal in this statement."""
    if moderator_id in (row.user_id, row.actor_id):
        message = "Another moderator must decide about this appeal."
    elif row.appeal is None or row.appeal.status is not AppealStatus.OPEN:
        message = "There is no open appeal against this decision."
    elif row.restriction is Restriction.REJECTED:
        message = "Decide about a rejected post or comment with moderate."
    else:
        return
    raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "statementId")


async def check_may_decide(
    context: Context, target: ReportTarget, *field: str, least: ModeratorRole = ModeratorRole.LEAD
) -> None:
    """Raises Forbidden if the target has an open appeal and the viewer's role is below `least`, and Refused with
    NOT_ALLOWED if the viewer made the appeal, or if it is against the viewer's decision. `field` is the path of the
    input field with the target's id.
    """
    if not isinstance(target, ModeratedRow) or target.status is not AuditStatus.REJECTED:
        return
    appeal = await appeals.last(context.state.postgres, target.ref)
    if appeal is None or appeal.status is not AppealStatus.OPEN:
        return
    viewer_id = context.require_role(least).user_id
    if viewer_id in (appeal.moderator_id, appeal.author_id):
        message = "Another moderator must decide about this appeal."
        raise Refused.because(UserErrorCode.NOT_ALLOWED, message, *field)
