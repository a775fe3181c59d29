"""The kinds of journal entries of moderation: reports, appeals, warnings, suspensions, and decisions of moderators and
of the external reviewer.
"""

from collections.abc import Sequence

import orjson

from domain.moderation.verdicts import AuditStatus, LabelVerdict
from models.comments import CommentRow
from models.posts import PostRow

JUDGE = "judge"
"""The kind of the journal entries of decisions about posts and comments. Such a decision also decides their open
reports.
"""
REPORT = "report"
"""The kind of the journal entries of reports."""
RESOLVE = "resolve"
"""The kind of the journal entries of decisions about reports that do not change the reported object."""
APPEAL = "appeal"
"""The kind of the journal entries of appeals."""
APPEAL_STATEMENT = "appealStatement"
"""The kind of the journal entries of appeals against restrictions other than rejections of posts and comments."""
DECIDE_APPEAL = "decideAppeal"
"""The kind of the journal entries with which moderators decide these appeals."""
WARN = "warn"
"""The kind of the journal entries of warnings of users."""
LABEL = "label"
"""The kind of the journal entries with which moderators set labels on posts, comments and entities."""
TOPIC_STATE = "topicState"
"""The kind of the journal entries with which moderators hold topics, and open them again."""
SUSPEND = "suspend"
"""The kind of the journal entries that begin a suspension of a user, and of those with which moderators end one."""


def judgement(
    moderator_id: int,
    about: PostRow | CommentRow,
    status: AuditStatus,
    reason: str,
    *,
    reviewer: bool = False,
    by_reports: bool = False,
    ground: str | None = None,
    match: str | None = None,
    labels: Sequence[LabelVerdict] = (),
) -> bytes:
    """Returns the data of a journal entry, as JSON: a moderation decision about the current content of the post or
    comment `about`. With `reviewer`, the external reviewer decided. With `by_reports`, the post or comment is hidden
    because of its reports. In both cases, pass the author's id as `moderator_id`. `ground` is the name of the ground
    that a moderator names; None for none. `match` is what the external reviewer says about known illegal content; None
    for all other decisions. `labels` are the labels that the external reviewer sets.

    Workers of earlier versions treat an entry with `by_reports` as a decision of the reviewer, which has no effect on
    approved content.
    """
    business_id, entity_id = about.ref
    what = {"actor": moderator_id, "business": business_id, "entity": entity_id, "content": about.content_version}
    who = {"reviewer": True, "reports": True} if by_reports else {"reviewer": reviewer}
    found = ({} if match is None else {"match": match}) | ({"labels": [[*one] for one in labels]} if labels else {})
    return orjson.dumps({**what, **who, **found, "status": int(status), "reason": reason, "ground": ground})
