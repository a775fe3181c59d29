"""Viewer.suggestedUsers: the users whom a worker has suggested to the viewer, without those who may not be suggested
now.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from context import Context
from domain.errors import BadInput
from models.boundaries import Boundaries
from models.follows import FollowState
from models.suggestions import Suggestion, SuggestionReason, dismissal
from models.topics import TopicRow
from models.users import UserRow, ViewerRow
from store.people import discoverable, suggestions

_MOST = 50
_MORE = 10
"""How many more users than wanted are loaded at once, because some may not be suggested any more."""


@dataclass(frozen=True, slots=True)
class SuggestedUserRow:
    """A user who is suggested to the viewer. `followed_by` has up to three users who follow this user and whom the
    viewer follows, and `followed_by_count` is the number of all of them. `topic` is the followed topic that is the
    reason.
    """

    user: UserRow
    reason: SuggestionReason
    followed_by: list[UserRow]
    followed_by_count: int
    topic: TopicRow | None
    score: float


async def suggested(context: Context, viewers: Sequence[ViewerRow], first: int) -> list[list[SuggestedUserRow]]:
    """Resolves Viewer.suggestedUsers: the best `first` suggestions. There is one viewer per request: the caller. Marks
    the viewer's list as due if it is missing or too old; a worker then computes it. Raises BadInput unless `first` is 1
    to 50; Unavailable if the list, the viewer's blocks and mutes, or the users cannot be read.
    """
    if not 1 <= first <= _MOST:
        raise BadInput(f"first must be between 1 and {_MOST}.")
    state, user_id, now_ms = context.state, viewers[0].user_id, context.state.now_ms()
    context.own.boundaries.ask()
    stored = await suggestions.read(state.cache, user_id)
    if stored is None or stored.made_ms <= now_ms - state.settings.people.suggestion_hours * 3_600_000:
        suggestions.ask(state.cache, user_id, now_ms)
    found = await context.own.boundaries.get()
    left = [one for one in stored.users if _is_wanted(one, found)] if stored else []
    shown: list[SuggestedUserRow] = []
    while left and len(shown) < first:
        count = first - len(shown) + _MORE
        shown += await _shown(context, left[:count])
        left = left[count:]
    return [shown[:first]] * len(viewers)


def _is_wanted(one: Suggestion, found: Boundaries) -> bool:
    """Returns whether the viewer has not dismissed the user, and still follows the topic of the reason."""
    topic = TopicRow(one.topic).ref if one.topic else None
    return dismissal(one.user_id) not in found.threads and (topic is None or topic in found.content_follows)


async def _shown(context: Context, found: Sequence[Suggestion]) -> list[SuggestedUserRow]:
    """Returns those of the suggestions that are allowed now. Their reasons name only users whom the viewer follows now
    and may see. Leaves out a suggestion whose reason needs such users if none is left.
    """
    ids = sorted({id_ for one in found for id_ in (one.user_id, *one.followed_by)})
    own, now_ms = context.own, context.state.now_ms()
    loaded, states, hidden, muted, unlisted = await asyncio.gather(
        context.content.kept_users.ask(ids),
        own.follows.ask(ids),
        own.boundaries.hidden_among(ids),
        own.boundaries.muted_among(ids),
        discoverable.hidden_among(context.state.postgres, [one.user_id for one in found]),
    )
    rows = {id_: row for id_, row in zip(ids, loaded, strict=True) if row and id_ not in hidden and id_ not in muted}
    follows = dict(zip(ids, states, strict=True))
    shown: list[SuggestedUserRow] = []
    for one in found:
        user = None if one.user_id in unlisted else rows.get(one.user_id)
        names = [rows[id_] for id_ in one.followed_by if id_ in rows]
        by = [row for row in names if follows[row.user_id] is FollowState.FOLLOWS and not row.is_hidden(now_ms)]
        count = one.followed_by_count - len(one.followed_by) + len(by)
        is_explained = count > 0 or one.reason is not SuggestionReason.FOLLOWED_BY_FOLLOWED
        if user and is_explained and follows[user.user_id] is FollowState.NONE and one.reason.allows(user, now_ms):
            topic = TopicRow(one.topic) if one.topic else None
            shown.append(SuggestedUserRow(user, one.reason, by, count, topic, one.score))
    return shown
