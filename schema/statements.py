"""Statements of reasons: what a person is told about a restriction, and about the outcome of a report."""

from datetime import datetime
from enum import Enum
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.grounds as resolve_grounds
import resolvers.statements as resolve
from commands import appeals as commands
from domain.moderation.statements import FoundBy, Restriction
from models.statements import StatementRow
from schema.access import Rule, access
from schema.appeals import Appeal
from schema.connections import Connection, Edge
from schema.enums import describe_enum
from schema.fields import Info, given, listed, row_type
from schema.grounds import Ground
from schema.interfaces import Node
from schema.payloads import IDEMPOTENCY_KEY, UserError, payload, user_errors

describe_enum(
    Restriction,
    "What a statement of reasons is about.",
    HELD="A post or comment of the person has waited for review for a long time.",
    REJECTED="A post or comment of the person was rejected: only the person and moderators see it.",
    DELETED="A comment of the person was deleted by a moderator, or by the owner of the post or entity.",
    SUSPENDED="The person was suspended.",
    WARNED="The person was warned.",
    PROFILE_REJECTED="A text or the avatar of the person's profile was rejected, and replaced or removed.",
    LABELED="A moderator, a rule or the external reviewer set labels on a post or comment of the person, or a "
    "moderator set labels on an entity of the person.",
    MADE_PRIVATE="A public collection of the person was made private, by a moderator or because the external reviewer "
    "rejected its name.",
    REPORT_DISMISSED="A moderator dismissed a report of the person.",
    REPORT_ACCEPTED="A moderator accepted a report of the person.",
)
describe_enum(
    FoundBy,
    "How the moderators learned about what they restricted.",
    REPORTS="By reports of users.",
    AUTOMATED="By automated means: rules, the word list or the external reviewer.",
    NOTICE="By a notice of a person, perhaps without an account.",
    OWN_INITIATIVE="By their own search, without reports, notices and automated means.",
)


@strawberry.type(
    description="A statement of reasons for the viewer (the signed-in user): a restriction of the viewer's content or "
    "account, or the outcome of a report of the viewer."
)
class Statement(Node):
    # Tokens that are restricted to businesses read no statements, so the fields need no rules.
    is_type_of = row_type(StatementRow)

    restriction: Restriction = strawberry.field(
        description="The restriction, or the outcome of the report.",
    )
    target: Node | None = listed(
        resolve.targets,
        description="The post, comment, entity, user or collection that is restricted, or what was reported. Null if "
        "it was deleted, if the viewer may not see it, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )
    ground: Ground | None = listed(
        resolve_grounds.of_rows,
        description="The law or the clause of the rules on which the decision is based. Null if the operator has "
        "removed the ground.",
    )
    facts: str | None = strawberry.field(
        description="The reason of the decision, as the moderator, a rule or the external reviewer gave it. Null "
        "without one.",
    )
    found_by: FoundBy = strawberry.field(
        description="How the moderators learned about the content or the user.",
    )
    is_automated: bool = strawberry.field(
        description="Whether the decision was automated: no person made it.",
    )
    since: datetime = strawberry.field(
        description="The time of the decision; for `HELD`, the time since which the post or comment waits.",
    )
    until: datetime | None = strawberry.field(
        description="The time at which the restriction ends by itself. Null if it has no such time.",
    )
    ended_at: datetime | None = listed(
        resolve.ends,
        description="The time at which the restriction ended, was lifted or was replaced. Null if it has not.",
    )
    appeal_until: datetime | None = listed(
        resolve.appealable_until,
        description="The time until which the viewer can appeal with `appeal`, once. Null if there is nothing to "
        "appeal against, as for `HELD` and `REPORT_ACCEPTED`.",
    )
    appeal: Appeal | None = strawberry.field(
        description="The appeal of the viewer. Null without one.",
    )


@strawberry.type(description="A statement of reasons in a page of statements.")
class StatementEdge(Edge[Statement]):
    pass


@strawberry.type(description="A page of statements of reasons.")
class StatementConnection(Connection[Statement, StatementEdge]):
    pass


class AppealDecision(Enum):
    """The decision of a moderator about an appeal."""

    GRANT = True
    DENY = False


describe_enum(
    AppealDecision,
    "The decision of a moderator about an appeal.",
    GRANT="The decision in the statement was wrong. A suspension ends, labels of moderators are "
    "removed, the owner of a collection may make it public again, and a dismissed report counts as accepted.",
    DENY="The decision in the statement was right.",
)


@strawberry.input(description="The input of `decideAppeal`.")
class DecideAppealInput:
    statement_id: strawberry.ID = strawberry.field(description="The id of the statement with the open appeal.")
    decision: AppealDecision = strawberry.field(description="The decision: grant or deny.")
    reason: str = strawberry.field(description="The reason for the decision, 1 to 500 characters. The person reads it.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)


@strawberry.type(description="The result of `decideAppeal`.")
class DecideAppealPayload:
    subject: Statement | None = strawberry.field(
        name="statement", description="The statement after the decision. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Grants or denies an appeal against a suspension, labels, a collection that was made private, a "
        "warning, a deletion of a comment, a rejected profile text, or a dismissed report; see "
        "`ModerationCase.appealedStatements`. Appeals about rejected posts and comments are decided with `moderate`. A "
        "deleted comment and a replaced profile text do not come back. The person gets a notification of the "
        "kind `MODERATION`. Requires the role `LEAD`, and a token without restriction to businesses. User errors: "
        "`TARGET_NOT_FOUND`, `NOT_ALLOWED` if there is no open appeal, for a "
        "decision of the moderator, for the moderator's own appeal, and for a rejected post or comment, `SUSPENDED`, "
        "`TEXT_TOO_LONG` and `TEXT_INVALID` for the reason, `INVALID` if the reason is empty, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.ACCOUNT, writes="moderation"),
    )
    async def decide_appeal(self: Any, info: Info, input: DecideAppealInput) -> DecideAppealPayload | None:
        key, granted = given(input.idempotency_key), input.decision.value
        deciding = commands.decide(info.context, input.statement_id, input.reason, key, granted=granted)
        return await payload(deciding)
