"""Computes suggestions of users to follow, for users who ask for them. A list comes from at most 200 followed users, 20
liked posts, 5 followed topics and the newest users, so that its cost has a limit.

A list is computed after its user has asked for a missing or old list, and a second after the user has followed
somebody.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from domain import ranking
from domain.ids import born_ms
from models.boundaries import Boundaries
from models.counters import EntityRef
from models.follows import FollowState
from models.suggestions import Suggestion, SuggestionReason
from models.topics import TopicRow
from settings import POSTS, SUGGESTIONS, TOPICS, USERS
from state import State
from store.content import hot, posts
from store.gather import gather_all
from store.people import boundary_rows, discoverable, follows, suggestions, users
from store.reactions import counts, likes

_AT_ONCE = 2
"""The number of lists that a worker computes at the same time."""
_MOST = 100
"""The most lists of one step."""
_AGAIN_MS = 5000
"""Milliseconds after which a list that could not be computed is due again."""
_FOLLOWED, _PER_FOLLOWED = 200, 200
_CANDIDATES = 300
"""The most users of each of the four sources."""
_LIKED, _LIKES, _MOST_LIKES = 40, 20, 200
"""How many of the user's newest likes are considered, how many of these posts are read, and how many likes a post may
have. A post that more users like says little about a user.
"""
_TOPICS, _PER_TOPIC = 5, 20
_NEWEST = 30


async def refresh_suggestions(state: State) -> int:
    """Computes up to 100 lists that are due. Returns their number. Returns 0 while writes are direct (Redis is not
    used). If a list cannot be computed, it is due again later, and the lists that are left are due at once. Raises
    RedisDown and PostgresDown.
    """
    if state.cache.redis.is_suspended:
        return 0
    due = await suggestions.take_due(state.cache, state.now_ms(), _MOST)
    for at in range(0, len(due), _AT_ONCE):
        try:
            await gather_all(*[_refresh(state, user) for user in due[at : at + _AT_ONCE]])
        except Exception:
            now_ms = state.now_ms()
            suggestions.mark(state.cache, due[at : at + _AT_ONCE], now_ms + _AGAIN_MS)
            suggestions.mark(state.cache, due[at + _AT_ONCE :], now_ms)
            raise
    return len(due)


async def _refresh(state: State, user_id: int) -> None:
    now_ms = state.now_ms()
    await suggestions.write(state.cache, user_id, await computed(state, user_id), now_ms)


async def computed(state: State, user_id: int) -> list[Suggestion]:
    """Returns the users who are suggested to a user by the rows, best first. Raises PostgresDown."""
    now_ms, postgres = state.now_ms(), state.postgres
    stored, own = await asyncio.gather(
        boundary_rows.stored(postgres, user_id, now_ms), follows.own_rows(postgres, user_id, USERS, (), 1)
    )
    boundaries = stored.boundaries
    followed = [member for member in own if member.state == FollowState.FOLLOWS and member.ref.entity_id != user_id]
    excluded = {user_id, *(member.ref.entity_id for member in own), *boundaries.blocks, *stored.marks}
    excluded |= {*boundaries.mutes} | {ref.entity_id for ref in boundaries.threads if ref.business_id == SUGGESTIONS}
    newest = sorted(followed, key=lambda member: member.moment, reverse=True)[:_FOLLOWED]
    found = await asyncio.gather(
        _second_degree(state, [member.ref.entity_id for member in newest], boundaries, excluded),
        _similar(state, user_id),
        _popular(state, boundaries),
        _newest(state, now_ms),
    )
    best: dict[int, Suggestion] = {}
    for one in (one for some in found for one in some if one.user_id not in excluded and one.score > 0):
        if one.user_id not in best or one.score > best[one.user_id].score:
            best[one.user_id] = one
    ordered = sorted(best.values(), key=lambda one: (one.score, one.user_id), reverse=True)[: 2 * suggestions.MOST]
    return (await _allowed(state, user_id, ordered, now_ms, boundaries))[: suggestions.MOST]


async def _allowed(
    state: State, user_id: int, found: Sequence[Suggestion], now_ms: int, boundaries: Boundaries
) -> list[Suggestion]:
    ids = [one.user_id for one in found]
    rows, hidden = await asyncio.gather(
        users.by_id(state.postgres, ids), discoverable.hidden_among(state.postgres, ids)
    )
    if boundaries.blockers is None:
        hidden |= await boundary_rows.blockers_among(state.postgres, user_id, ids)
    return [
        one
        for one in found
        if (row := rows.get(one.user_id)) and one.reason.allows(row, now_ms) and one.user_id not in hidden
    ]


async def _second_degree(
    state: State, followed: Sequence[int], boundaries: Boundaries, excluded: Collection[int]
) -> list[Suggestion]:
    now_ms, rows = state.now_ms(), await users.by_id(state.postgres, followed)
    shown = [user for user in followed if user in rows and not rows[user].is_hidden(now_ms)]
    named = [user for user in shown if user not in boundaries.mutes]
    found = await suggestions.second_degree(state.postgres, named, excluded, each=_PER_FOLLOWED, count=_CANDIDATES)
    fans = await counts.read(state.postgres, _refs(one.user_id for one in found))
    return [
        Suggestion(
            one.user_id,
            SuggestionReason.FOLLOWED_BY_FOLLOWED,
            ranking.second_degree(one.paths, fans[EntityRef(USERS, one.user_id)].followers),
            tuple(one.names),
            one.paths,
        )
        for one in found
    ]


async def _similar(state: State, user_id: int) -> list[Suggestion]:
    liked = [item.member for item in await likes.likes_page(state.postgres, user_id, POSTS, None, _LIKED)]
    counted = await counts.read(state.postgres, [EntityRef(POSTS, post) for post in liked])
    numbers = {ref.entity_id: count.likes for ref, count in counted.items() if 1 < count.likes <= _MOST_LIKES}
    chosen = [post for post in liked if post in numbers][:_LIKES]
    shared = await suggestions.shared_likes(state.postgres, chosen, _CANDIDATES)
    return [
        Suggestion(user, SuggestionReason.SIMILAR_LIKES, ranking.similar_likes(numbers[post] for post in some))
        for user, some in shared.items()
    ]


async def _popular(state: State, boundaries: Boundaries) -> list[Suggestion]:
    topics = [(follow.moment, follow.name) for ref, follow in boundaries.content_follows.items() if _is_topic(ref)]
    found: list[Suggestion] = []
    for _, name in sorted(topics, reverse=True)[:_TOPICS]:
        hottest = await hot.page(state.postgres, TopicRow(name).ref, None, _PER_TOPIC)
        rows = await posts.by_id(state.postgres, [item.member for item in hottest])
        authors = Counter(row.author_id for row in rows.values() if row.is_public)
        found += [
            Suggestion(author, SuggestionReason.POPULAR_IN_TOPIC, ranking.popular_in_topic(number), topic=name)
            for author, number in authors.items()
        ]
    return found


async def _newest(state: State, now_ms: int) -> list[Suggestion]:
    """Returns the newest users who have published a post. Most users without a post only read, or are bots."""
    newest = await suggestions.newest_users(state.postgres, _NEWEST)
    counted = await counts.read(state.postgres, _refs(newest))
    return [
        Suggestion(ref.entity_id, SuggestionReason.NEW_MEMBER, ranking.new_member(now_ms - born_ms(ref.entity_id)))
        for ref, count in counted.items()
        if count.posts
    ]


def _refs(ids: Iterable[int]) -> list[EntityRef]:
    return [EntityRef(USERS, id_) for id_ in ids]


def _is_topic(ref: EntityRef) -> bool:
    return ref.business_id == TOPICS
