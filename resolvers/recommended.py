"""Viewer.recommended: hot posts, hot posts of the viewer's topics, and posts that followed users have liked lately.

1. interests: the viewer's topics, and the posts that followed users have liked lately;
2. candidates: hot posts of all users and of these topics, and the posts that followed users like;
3. filter: load the candidates, and leave out the viewer's own posts and those that the viewer has reacted to or viewed;
4. score: order the rest by hot score and by appeal to the viewer (domain/ranking.py). Posts like those of which the
   viewer wants to see less (`showLess`) are lowered;
5. limit the posts of each author;
6. store the result, in this order, as a snapshot for as long as its cursors are valid. The same cursor always returns
   the same posts, and no post appears twice;
7. page: load the posts of a page. Posts that were deleted since are left out, and `timelines.page` fills the page up.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from context import Context
from domain import ranking
from domain.errors import BadCursor
from domain.versions import moment_ms
from loaders import lists, posts
from loaders.likes import newest_likes
from loaders.lists import ListPage
from loaders.own_lists import OwnList
from models.counters import EntityRef
from models.likes import REACT
from models.posts import PostRow
from models.topics import SQUARE, TopicRow
from models.users import ViewerRow
from resolvers import timelines
from resolvers.pages import Connection
from settings import POSTS, USERS
from store.cache import snapshots
from store.cache.lists import Item
from store.cache.snapshots import Pick
from store.reactions.actions import HOUR_MS

_HOT = 100
_LIKES, _OWN = 50, 20
"""How many of the viewer's newest likes and newest posts are read to find the viewer's topics."""
_TOPICS, _PER_TOPIC = 5, 30
_FOLLOWED, _PER_FOLLOWED = 50, 10
"""How many of the users whom the viewer has followed last are considered, and how many newest likes of each are read.
"""
_LATELY_MS = 14 * 86_400_000
_FROM_FOLLOWED = 100
_PER_AUTHOR, _WINDOW = 2, 20
"""The most posts of one author (the first number) among this many consecutive posts (the second)."""
_RANK_BITS = 10
_LESS, _LESS_MS = 100, 30 * 86_400_000
"""How many of the newest posts like which the viewer wants to see less are considered, and for how many milliseconds.
"""


@dataclass(frozen=True, slots=True)
class Interests:
    """The viewer's interests. `topics` has the commonest topics of the newest posts that the viewer has liked or
    written, and for each topic the share of these posts that have it. `followed` has, by post id, the number of
    followed users who have liked the post lately.
    """

    topics: Mapping[str, float]
    followed: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Less:
    """The authors and the keys of the topics of the posts like which the viewer wants to see less."""

    authors: frozenset[int]
    topics: frozenset[str]

    def lowered(self, score: int, post: PostRow) -> int:
        """Returns the score of a post, lowered if the post is like these."""
        same_topic = not self.topics.isdisjoint(post.names_by_topic)
        return ranking.lowered(score, same_author=post.author_id in self.authors, same_topic=same_topic)


async def recommended(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[PostRow] | BadCursor]:
    """Resolves Viewer.recommended: a page of the recommended posts, best first; BadCursor if `after` is not valid or
    has expired. There is one viewer per request: the caller. Raises BadInput unless `first` is 1 to 100; Unavailable if
    the posts cannot be read.
    """
    user_id, reasons = viewers[0].user_id, dict[int, str | None]()
    known: list[Item] | None = None

    async def source(before: Item | None, count: int) -> list[Item]:
        nonlocal known
        if known is None:
            token, picks = await (
                _new_snapshot(context, user_id) if before is None else _open_snapshot(context, user_id, before)
            )
            reasons.update(picks)
            known = [Item(_place(token, rank), pick.post_id) for rank, pick in enumerate(picks)]
        return [item for item in known if before is None or item < before][:count]

    try:
        page = await timelines.page(
            context, f"recommended:{user_id}", context.content.feed_posts, [source], first, after
        )
    except BadCursor as error:
        return [error] * len(viewers)
    if isinstance(page, Connection):
        page.reasons = reasons
    return [page] * len(viewers)


def _place(token: int, rank: int) -> int:
    """Returns the position of the recommendation with this rank (0 is the best) in its list. Positions fall with the
    rank, and contain `token`, the number of the snapshot.
    """
    return (token + 1 << _RANK_BITS) - 1 - rank


async def _new_snapshot(context: Context, user_id: int) -> tuple[int, list[Pick]]:
    picks = await _pick(context, user_id)
    return snapshots.pin(context.state.cache, user_id, picks), picks


async def _open_snapshot(context: Context, user_id: int, before: Item) -> tuple[int, list[Pick]]:
    """Returns the snapshot to which the position `before` belongs: its number (token), and its recommended posts.
    Raises BadCursor if the snapshot has expired.
    """
    token = before.score >> _RANK_BITS
    picks = await snapshots.pinned(context.state.cache, user_id, token)
    if picks is None:
        raise BadCursor("This cursor has expired. Start again from the first page.")
    return token, picks


async def _pick(context: Context, user_id: int) -> list[Pick]:
    """Returns the posts to recommend to the viewer now, each with a reason, best first."""
    interests, hot = await _interests(context, user_id)
    candidates, less = await asyncio.gather(_candidates(context, interests, hot), _less(context))
    rows = await _unseen(context, user_id, candidates)
    scored = await _scored(context, rows, interests, less)
    order = ranking.diversified([post.author_id for post, _ in scored], _PER_AUTHOR, _WINDOW)
    return [Pick(scored[i][0].post_id, _reason(*scored[i], interests)) for i in order[: snapshots.MOST]]


async def _interests(context: Context, user_id: int) -> tuple[Interests, list[Item]]:
    """Returns the viewer's interests, and the hottest posts of all users, which are read in the same batch."""
    state, user = context.state, EntityRef(USERS, user_id)
    likes = OwnList(state, REACT, user_id, state.businesses_by_id[POSTS])
    liked, own, following, hot = await asyncio.gather(
        likes.page(context.degraded, "User.likes", None, _LIKES),
        lists.read(state, posts.OWN, [ListPage(user, None, _OWN)]),
        context.lists.following.load(ListPage(user, None, _FOLLOWED)),
        context.lists.hot.load(ListPage(TopicRow(SQUARE).ref, None, _HOT)),
    )
    engaged = sorted({item.member for item in (*liked, *own[0])})
    rows, theirs = await asyncio.gather(
        context.content.posts.ask(engaged),
        _likes_of(context, [item.member for item in following]),
    )
    return Interests(_topics([row for row in rows if row]), _liked_by(theirs, state.now_ms() - _LATELY_MS)), hot


async def _likes_of(context: Context, users: Sequence[int]) -> list[list[Item]]:
    """Returns the newest liked posts of each of these users. Leaves out users whom the viewer mutes, or whose likes are
    hidden from the viewer.
    """
    likes, hidden, muted = await asyncio.gather(
        newest_likes(context.state, users, POSTS, _PER_FOLLOWED),
        context.content.visibility_in(None).hidden_authors(users),
        context.own.boundaries.muted_among(users),
    )
    return [some for user, some in zip(users, likes, strict=True) if user not in hidden and user not in muted]


async def _candidates(context: Context, interests: Interests, hot: Sequence[Item]) -> list[int]:
    topics = [ListPage(TopicRow(key).ref, None, _PER_TOPIC) for key in interests.topics]
    pages = await context.lists.hot.ask(topics)
    return sorted({item.member for items in (hot, *pages) for item in items} | interests.followed.keys())


async def _less(context: Context) -> Less:
    """Returns what the viewer wants to see less of. Posts that do not exist any more have no effect."""
    since_ms = context.state.now_ms() - _LESS_MS
    hidden = (await context.own.boundaries.get()).hidden_posts
    newest = sorted(
        (one.moment, id_) for id_, one in hidden.items() if one.is_less and moment_ms(one.moment) > since_ms
    )
    ids = [id_ for _, id_ in newest[-_LESS:]]
    rows = [row for row in await context.content.posts.ask(ids) if row] if ids else ()
    return Less(frozenset(row.author_id for row in rows), frozenset(key for row in rows for key in row.names_by_topic))


def _topics(engaged: Sequence[PostRow]) -> dict[str, float]:
    found = Counter(key for row in engaged for key in row.names_by_topic)
    return {key: count / len(engaged) for key, count in found.most_common(_TOPICS)}


def _liked_by(likes: Sequence[Sequence[Item]], since_ms: int) -> dict[int, int]:
    found = Counter(item.member for items in likes for item in items if item.score >> 10 > since_ms)
    return dict(found.most_common(_FROM_FOLLOWED))


async def _unseen(context: Context, user_id: int, ids: Sequence[int]) -> list[PostRow]:
    """Returns those of the posts `ids` that are public, by other users, and neither reacted to nor lately viewed by the
    viewer.
    """
    state, refs = context.state, [EntityRef(POSTS, id_) for id_ in ids]
    context.own.require_exact(refs)
    rows, reactions, viewed, _ = await asyncio.gather(
        context.content.feed_posts(ids),
        context.own.states(REACT).ask(refs),
        state.actions.viewed(user_id, refs, state.now_ms() // HOUR_MS),
        context.own.counts.ask(refs, each=True),  # For the scores, in the same batch.
    )
    unseen = [
        row
        for row, reaction in zip(rows, reactions, strict=True)
        if row and row.is_public and row.author_id != user_id and not reaction and row.ref not in viewed
    ]
    known = await _known_entities(context, user_id, [ref for row in unseen if (ref := row.announced)])
    return [row for row in unseen if row.announced not in known]


async def _known_entities(context: Context, user_id: int, refs: Sequence[EntityRef]) -> Collection[EntityRef]:
    """Returns those of the entities `refs` to which the viewer has reacted, or which the viewer has viewed lately."""
    if not refs:
        return ()
    state = context.state
    reactions, viewed = await asyncio.gather(
        context.own.states(REACT).ask(refs), state.actions.viewed(user_id, refs, state.now_ms() // HOUR_MS)
    )
    return {ref for ref, reaction in zip(refs, reactions, strict=True) if reaction} | {*viewed}


async def _scored(
    context: Context, rows: Sequence[PostRow], interests: Interests, less: Less
) -> list[tuple[PostRow, ranking.Appeal]]:
    """Returns the posts, highest score first, each with what makes it appeal to the viewer (`ranking.Appeal`). Posts
    like those in `less` are lowered.
    """
    counts = await context.own.counts.ask([row.reactions_ref for row in rows])
    of_posts = await context.own.counts.ask([row.ref for row in rows])  # Already read.
    scored: list[tuple[int, PostRow, ranking.Appeal]] = []
    for row, counted, of_post in zip(rows, counts, of_posts, strict=True):
        share = max((interests.topics.get(key, 0.0) for key in row.names_by_topic), default=0.0)
        appeal = ranking.appeal(share, interests.followed.get(row.post_id, 0))
        hot = ranking.hot(row.moment, counted.likes + of_post.reposts, counted.dislikes)
        scored.append((less.lowered(ranking.recommended(hot, appeal), row), row, appeal))
    scored.sort(key=lambda one: (one[0], one[1].post_id), reverse=True)
    return [(row, appeal) for _, row, appeal in scored]


def _reason(post: PostRow, appeal: ranking.Appeal, interests: Interests) -> str:
    """Returns the strongest reason for a recommendation, as a sentence for the viewer."""
    if not any(appeal):
        return "Popular right now"
    if appeal.followed >= appeal.topic:
        return "Liked by people you follow"
    names = post.names_by_topic
    return f"Because you like #{names[max(names, key=lambda key: interests.topics.get(key, 0.0))]}"
