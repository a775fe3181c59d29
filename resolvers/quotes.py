"""Quotes: what a post quotes, and the posts that quote a post."""

from collections.abc import Sequence

from context import Context
from domain.errors import BadCursor
from models.posts import PostRow
from models.quotes import Quote, QuotedRow, QuoteMissing
from resolvers import pages, timelines
from resolvers.pages import Connection, Pages
from resolvers.timelines import Source


async def quoted(context: Context, posts: Sequence[PostRow]) -> list[Quote | Exception | None]:
    """Resolves Post.quote: what each post quotes, or what is in its place; None for a post that quotes nothing, an
    exception if the quoted post cannot be read.
    """
    ids = list(dict.fromkeys(post.quote_of for post in posts if post.quote_of and not _missing(post)))
    if not ids:
        return [_place(post) for post in posts]
    found = dict(zip(ids, await context.content.posts.ask(ids, each=True), strict=True))
    unseen = [id_ for id_, row in found.items() if row is None]
    kept = dict(zip(unseen, await context.content.kept_posts.ask(unseen, each=True), strict=True)) if unseen else {}

    def quote(id_: int) -> Quote | Exception:
        row = found[id_]
        if row is None:
            row = kept[id_]
            is_gone = row is None or (isinstance(row, PostRow) and row.deleted)
            missing = QuoteMissing.DELETED if is_gone else QuoteMissing.NOT_VISIBLE
            return row if isinstance(row, Exception) else Quote(None, missing)
        return row if isinstance(row, Exception) else Quote(QuotedRow.of(row), None)

    return [quote(post.quote_of) if post.quote_of in found else _place(post) for post in posts]


def _place(post: PostRow) -> Quote | None:
    missing = _missing(post) if post.quote_of else None
    return Quote(None, missing) if missing else None


def _missing(post: PostRow) -> QuoteMissing | None:
    """Returns why what a post quotes is not shown, as far as the post tells; otherwise None."""
    if post.detached:
        return QuoteMissing.REMOVED_BY_AUTHOR
    return QuoteMissing.NESTED if isinstance(post, QuotedRow) else None


async def quotes(context: Context, posts: Sequence[PostRow], first: int, after: str | None = None) -> Pages[PostRow]:
    """Resolves Post.quotes: a page of the approved posts that quote each post and are not detached from it, newest
    first. Includes quotes that the viewer has just published. Raises BadInput unless `first` is 1 to 100.
    """

    async def page(quoted: PostRow) -> Connection[PostRow] | BadCursor:
        async def load(ids: Sequence[int]) -> list[PostRow | None]:
            rows = await context.content.feed_posts(ids)
            return [row if row and row.quote_of == quoted.post_id and not row.detached else None for row in rows]

        stored = timelines.listed(context.lists.quotes, quoted.ref)
        sources: list[Source] = [stored, context.own.just_now]
        return await timelines.page(context, f"quotes:{quoted.post_id}", load, sources, first, after)

    return await pages.each(page, posts)
