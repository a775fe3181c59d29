"""Viewer.home: what the viewer and those they follow have published, newest first.

Skeleton: the inbox, the outboxes of big accounts that are followed, and what is the viewer's own. Load: posts. Filter:
what is deleted or not approved, and authors who are not followed any more; refilled by `timelines.page`.
"""

from collections.abc import Sequence

from context import Context
from errors import BadCursor
from loaders import lists
from loaders.lists import ListPage
from loaders.timelines import inbox_life_ms, inboxes
from models.counters import EntityRef
from models.posts import PostRow
from models.users import ViewerRow
from resolvers import timelines
from resolvers.pages import Connection
from settings import USERS
from store import keys
from store.lists import Item


async def home(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[PostRow] | BadCursor]:
    """One viewer's, which is the caller: nobody is another's viewer."""
    page = await _page(context, viewers[0].user_id, first, after)
    return [page] * len(viewers)


async def _page(context: Context, user_id: int, first: int, after: str | None) -> Connection[PostRow] | BadCursor:
    inbox, near = EntityRef(USERS, user_id), context.shared.big_accounts

    async def pushed(before: Item | None, count: int) -> list[Item]:
        if before is None:  # whoever comes to look is pushed to for another while
            context.state.cache.redis("PEXPIRE", keys.inbox(user_id), inbox_life_ms(context.state), write=True)
        (items,) = await lists.read(context.state.cache, inboxes(context.state), [ListPage(inbox, before, count)])
        return items

    async def pulled(before: Item | None, count: int) -> list[Item]:
        authors = await near.authors()
        followed = await context.loaders.follows.load_many(authors) if authors else []
        wanted = [author for author, yes in zip(authors, followed, strict=True) if yes]
        pages = await near.outboxes(wanted, before, count)
        near.author_of.update({i.member: author for author, page in zip(wanted, pages, strict=True) for i in page})
        return sorted((item for page in pages for item in page), reverse=True)[:count]

    async def load(ids: Sequence[int]) -> list[PostRow | None]:
        known = {author for id_ in ids if (author := near.author_of.get(id_))}
        context.loaders.follows.ask(sorted(known))  # on its way with the posts; most authors are known by now
        posts = await context.loaders.posts.load_many(ids)
        near.author_of.update({post.post_id: post.author_id for post in posts if post})
        authors = sorted({post.author_id for post in posts if post})
        followed = dict(zip(authors, await context.loaders.follows.load_many(authors), strict=True))
        return [p if p and (p.author_id == user_id or followed[p.author_id]) else None for p in posts]

    sources = [pushed, pulled, *timelines.own(context)]
    return await timelines.page(context, f"home:{user_id}", load, sources, first, after)
