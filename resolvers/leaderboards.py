"""Leaderboards: the objects of a business (a kind of content) with the most likes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commands.targets import ReactableRow
from context import Context
from domain import texts
from domain.errors import BadInput
from loaders import leaderboards
from loaders.leaderboards import LeaderboardWindow
from models.comments import CommentRow
from models.entities import EntityRow
from models.likes import Reaction, unknown_reaction
from models.posts import PostRow
from resolvers import nodes, timelines
from resolvers.pages import check_first
from settings import Business
from store.cache.lists import Item
from store.reactions.leaderboards import likes_of


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A place on a leaderboard. `rank` is 1 for the first place. `score` is the number of likes, or of reactions of the
    board's kind, that the object `node` received in the board's period, minus those that were withdrawn.
    """

    rank: int
    score: float
    node: ReactableRow


async def leaderboard(
    context: Context, business: str, window: LeaderboardWindow, first: int, kind: str | None = None
) -> list[LeaderboardRow]:
    """Resolves Query.leaderboard: the first places of the leaderboard of a business in the period `window`. `kind` is
    the name of the kind of reaction that the board counts; None for likes. Objects that are not public are left out,
    and ranks have no gaps.

    Raises BadInput for an unknown business or kind, for the kinds `like` and `dislike`, and unless `first` is 1 to 100;
    Unavailable if the board or its objects cannot be read.
    """
    check_first(first)
    of_business = context.state.businesses.get(business)
    if of_business is None:
        raise BadInput(texts.no_business(business))
    of_kind = None if kind is None else _kind(context, of_business, kind)

    async def places(before: Item | None, count: int) -> list[Item]:
        return await leaderboards.read(context.state, of_business.id, window, of_kind, before, count)

    async def load(ids: Sequence[int]) -> list[ReactableRow | None]:
        rows = await context.content.unmuted(await nodes.targets(context, of_business, ids))
        posts = await context.content.posts_of(row for row in rows if isinstance(row, CommentRow))
        return [row if row and _is_public(row, posts) else None for row in rows]

    items, by_id = await timelines.collect(load, [places], None, first, ranked=True)
    return [
        LeaderboardRow(rank, likes_of(item), node) for rank, item in enumerate(items, 1) if (node := by_id[item.member])
    ]


def _kind(context: Context, business: Business, name: str) -> int:
    """Returns the id of the kind of reaction with this name. Raises BadInput if there is no leaderboard of it."""
    known = context.state.reactions[business.id]
    kind = known.find(name)
    if kind is None:
        raise BadInput(unknown_reaction(known))
    if kind <= Reaction.DISLIKE:
        raise BadInput("Omit kind for the leaderboard of likes. There is none of dislikes.")
    return kind


def _is_public(row: ReactableRow, posts: Mapping[int, PostRow | Exception | None]) -> bool:
    """Returns whether an object is public: approved by moderation and not deleted. A comment is public only if its post
    is, too; entities always are. `posts` are the posts that comments are about, by id. Raises Unavailable if the object
    is a comment on a post that cannot be read.
    """
    if isinstance(row, EntityRow):
        return True
    if isinstance(row, PostRow) or row.post_id is None:
        return row.is_public
    post = posts[row.post_id]
    if isinstance(post, Exception):
        raise post
    return row.is_public and post is not None and post.is_public
