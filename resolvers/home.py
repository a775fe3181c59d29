"""Viewer.home: the posts of the viewer and of the users whom the viewer follows, newest first.

1. candidates: the viewer's inbox (the cached list of posts of followed users), the newest posts of big accounts that
   the viewer follows (authors with too many followers for inboxes), and the viewer's own posts;
2. hydrate: load the candidate posts, and whether the viewer follows their authors;
3. filter: leave out posts that the viewer may not see, and posts of authors whom the viewer no longer follows;
4. page: `timelines.page` merges the candidates, and takes more of them while a page is short.

resolvers/home_updates.py answers the subscription to new posts.
"""

from collections.abc import Sequence
from functools import partial

from context import Context
from domain.errors import BadCursor
from loaders import lists
from loaders.lists import ListPage
from loaders.timelines import INBOXES
from models.counters import EntityRef
from models.follows import FollowState
from models.posts import PostRow
from models.users import ViewerRow
from resolvers import timelines
from resolvers.pages import Connection
from resolvers.timelines import Source
from settings import USERS
from store.cache.lists import Item
from store.content.inboxes import renew_inbox


async def home(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[PostRow] | BadCursor]:
    """Resolves Viewer.home: a page of the viewer's home timeline; BadCursor if `after` is not a cursor of the list.
    There is one viewer per request: the caller. Raises BadInput unless `first` is 1 to 100; Unavailable if the page
    cannot be read or filled.
    """
    user_id = viewers[0].user_id
    candidates: list[Source] = [
        partial(_from_inbox, context, user_id),
        partial(_from_big_accounts, context),
        *timelines.own(context),
    ]
    visible = partial(_visible, context, user_id)
    page = await timelines.page(context, f"home:{user_id}", visible, candidates, first, after)
    return [page] * len(viewers)


async def _from_inbox(context: Context, user_id: int, before: Item | None, count: int) -> list[Item]:
    """Returns up to `count` items of the user's inbox (the cached list of posts of followed users) that are older than
    `before`. Reading the first page extends the time for which the inbox is cached.
    """
    cache = context.state.cache
    if before is None:
        renew_inbox(cache, user_id)
    page = ListPage(EntityRef(USERS, user_id), before, count)
    (items,) = await lists.read(context.state, INBOXES, [page])
    return items


async def _from_big_accounts(context: Context, before: Item | None, count: int) -> list[Item]:
    """Returns up to `count` posts, older than `before`, of big accounts that the viewer follows."""
    big_accounts = context.shared.big_accounts
    newest = await big_accounts.authors()
    followed = await context.own.followed_among(newest) if newest else ()
    return await big_accounts.page({author: newest[author] for author in followed}, before, count)


async def _visible(context: Context, user_id: int, ids: Sequence[int]) -> list[PostRow | None]:
    """Returns the post of each of `ids`, in that order. None for a post that does not belong in the viewer's home
    timeline: the viewer may not see it, or mutes or does not follow its author.

    Authors that this process remembers are looked up in the same round trip as the posts.
    """
    follows = context.own.follows
    follows.ask(sorted({*context.shared.memories.authors.of(ids)} - {0}))
    posts = await context.content.feed_posts(ids)
    authors = sorted({post.author_id for post in posts if post})
    states = await follows.ask(authors)
    shown = {author for author, state in zip(authors, states, strict=True) if state is FollowState.FOLLOWS} | {user_id}
    return [post if post and post.author_id in shown else None for post in posts]
