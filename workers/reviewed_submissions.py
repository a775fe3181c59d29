"""Submissions (posts, comments and profile texts) as the external reviewer receives them: with the network and device
of the client, and earlier decisions about the author.
"""

from dataclasses import replace

from domain.moderation import author_reputation
from domain.moderation.verdicts import Submission
from models.collections import CollectionRow
from models.devices import known_network
from models.profiles import ProfileField
from models.users import UserRow
from projections.submission_facts import described
from state import State
from store.moderation import log, reviews
from store.moderation.reviews import ModeratedRow


async def of_content(state: State, row: ModeratedRow) -> Submission:
    """Returns a post or comment as a submission for the external reviewer, with its author's network and device, and
    the numbers of earlier decisions about the author.
    """
    ip, device = await reviews.client_of(state.postgres, row.ref)
    return await _with_record(state, described(row, state.business_names, known_network(ip), device))


async def of_profile(state: State, user: UserRow, field: ProfileField) -> Submission:
    """Returns a text of a profile as a submission for the external reviewer, with the numbers of earlier decisions
    about the user. Network and device are left out, because they are not stored for profiles.
    """
    return await _with_record(state, replace(user.submission(field, state.now_ms()), business="user"))


async def of_collection(state: State, row: CollectionRow) -> Submission:
    """Returns the name of a public collection as a submission for the external reviewer, with the numbers of earlier
    decisions about its owner.
    """
    return await _with_record(state, replace(row.submission(state.now_ms()), business="user"))


async def _with_record(state: State, submission: Submission) -> Submission:
    """Returns a submission with two numbers about its author and the author's content in the last 30 days: rejections,
    and accepted reports.
    """
    now = submission.submitted_at
    decisions = await log.decisions_about_author(
        state.postgres, submission.author_id, (now - author_reputation.SPAN, now)
    )
    record = author_reputation.record_at(decisions, now)
    return replace(submission, rejections=record.rejections, accepted_reports=record.accepted_reports)
