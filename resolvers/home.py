"""Viewer.home: the posts of the viewer and of the users whom the viewer follows, what these users repost, and, if the
viewer wants that, some posts of followed topics, newest first.

1. candidates: the viewer's inbox (the cached list of posts of followed users), the cached list of their reposts, the
   newest posts and reposts of big accounts that the viewer follows (users with too many followers for inboxes), and the
   viewer's own posts;
2. hydrate: load the candidate posts, and whether the viewer follows their authors and those who repost them;
3. filter: leave out posts that the viewer may not see, posts of authors whom the viewer no longer follows, reposts that
   do not stand any more, and posts that stand above;
4. page: `timelines.collect` merges the candidates, and takes more of them while a page is short;
5. topics: posts of topics get places between the others (resolvers/topic_feeds.py).

A post stands where its newest repost by a followed user stands, or else at its own time. A cursor contains the moment
at which the reading of the list began. In this reading, later reposts do not move a post that had a place then; a post
that is new since then stands at its first place. So the pages of a reading fit together in both directions.

resolvers/home_updates.py answers the subscription to new posts.
"""

from collections.abc import Awaitable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from context import Context
from domain.errors import BadCursor, Unavailable
from domain.versions import moment_at
from loaders import lists
from loaders.lists import ListPage
from loaders.reposts import Repost
from loaders.timelines import FOLLOWED_REPOSTS, INBOXES
from models.counters import EntityRef
from models.follows import FollowState
from models.home import EVERYTHING, ONLY_POSTS, HomeFilter, HomeKind, HomeReason, HomeReasonKind
from models.posts import PostRow
from models.preferences import Preference
from models.reposts import repost_of
from models.users import ViewerRow
from resolvers import pages, timelines, topic_feeds
from resolvers.pages import END, MOST, Connection, PageArguments, Scope, Window
from resolvers.reposts import shown_reposters
from resolvers.timelines import Source
from resolvers.topic_feeds import Followed
from settings import USERS
from store.cache.lists import Above, Item
from store.content.inboxes import HAS_REPOSTS, REPOSTS, inbox_key, renew, reposts_key
from store.groups import grouped

_SPARE = 10
"""How many more candidates are read if users have reposted, because several users may have reposted the same post."""


async def home(
    context: Context,
    viewers: Sequence[ViewerRow],
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    filter: HomeFilter | None = None,  # noqa: A002 - the name of the argument
    *,
    topics: bool = True,
) -> list[Connection[PostRow] | BadCursor]:
    """Resolves Viewer.home: a page of the viewer's home timeline, without posts of topics if `topics` is false;
    BadCursor if `after` or `before` is not a cursor of the list. There is one viewer per request: the caller. Raises
    BadInput as `pages.window` does; Unavailable if the page cannot be read or filled.
    """
    cursors, scope = context.state.cursors, Scope(f"home:{viewers[0].user_id}")
    try:
        window = pages.window(cursors, scope, PageArguments(first, after, last, before))
    except BadCursor as error:
        return [error] * len(viewers)
    reading = _Reading(context, viewers[0].user_id, window, filter or EVERYTHING)
    spare = _SPARE if reading.sees_reposts else 0
    items, by_id = await timelines.collect(
        reading.load, reading.sources, window.start, window.most + 1, spare=spare, by_item=True
    )
    page = window.page(cursors, scope.name, items, by_id)
    page.home_reasons = reading.reasons
    if topics and items and reading.with_posts:
        found = await context.own.boundaries.get()  # which the posts have needed, too
        if Preference.TOPICS_IN_HOME in found.preferences:
            await reading.add_topics(page, found.content_follows)
    began = reading.began
    if not window.start and items:
        began = page.items[0].score if reading.sees_reposts else -page.items[0].score
    page.places = partial(_place, page.items, began)
    reading.sources.clear()  # they refer to `reading`
    return [page] * len(viewers)


async def new_count(context: Context, viewers: Sequence[ViewerRow], since: str) -> list[int | BadCursor]:
    """Resolves Viewer.homeNewCount: how many posts are above the cursor `since` in the viewer's inbox, and among the
    newest posts of the big accounts that the viewer follows; at most MOST. BadCursor if `since` is not a cursor of
    home. Loads no post. Raises Unavailable if the inbox cannot be read.
    """
    scope, asked = Scope(f"home:{viewers[0].user_id}"), PageArguments(last=MOST, before=since)
    try:
        window = pages.window(context.state.cursors, scope, asked)
    except BadCursor as error:
        return [error] * len(viewers)
    reading = _Reading(context, viewers[0].user_id, window, ONLY_POSTS)
    items = await timelines.items_of(reading.sources[:2], window.start, window.most)
    reading.sources.clear()
    return [len(items)] * len(viewers)


def _place(items: Sequence[Item], top: int, at: int) -> tuple[int, ...]:
    """Returns what the cursor of the item with the index `at` contains: the item, and when the reading began."""
    return *items[at], top


def _place_in(places: Sequence[Item], began: int) -> Item:
    """Returns the place of a post in a reading that began at the moment `began`, from all its places: the newest place
    that the post had at this moment; its first place if it had none. On a first page, `began` is 0 and the newest place
    counts.
    """
    return max((one for one in places if one.score <= began or not began), default=min(places))


@dataclass(eq=False)
class _Reading:
    """Reads one page of a user's home timeline."""

    context: Context
    user_id: int
    window: Window
    """The part of the timeline to read. The third number of its cursor is the moment at which the reading of the list
    began; the negative of this moment if the first page has no reposts.
    """
    filter: HomeFilter
    reasons: dict[int, HomeReason] = field(default_factory=dict, init=False)
    """Why items are in the list, by member."""
    _topics: Followed | None = field(default=None, init=False)
    """The topics of which `load` returns the posts, without those of followed users; None while it returns the posts of
    followed users.
    """
    _reposts: dict[Repost, Item] = field(default_factory=dict, init=False)
    """The reposts that were read, also those outside of the page."""

    def __post_init__(self) -> None:
        start, kinds = self.window.start, {*(self.filter.kinds or HomeKind)}
        backward = isinstance(start, Above)
        if start == END:
            self.began = moment_at(self.context.state.now_ms())
        else:
            self.began = (abs(self.window.sealed) or start.score) if backward and start else self.window.sealed
        """The moment at which the reading of the list began; 0 or negative if it has no reposts."""
        self.with_reposts = HomeKind.REPOSTS in kinds and (start is None or self.began > 0)
        self.with_posts = HomeKind.POSTS in kinds
        remembered = self.context.shared.memories.sees_reposts.of([self.user_id])
        self.sees_reposts = self.with_reposts and bool(remembered or start or not self.with_posts)
        """Whether users whom the viewer follows have reposted, as far as it is known."""
        big_reposts = partial(self._from_big_accounts, only_reposts=True)
        self.sources: list[Source] = [self._from_inbox, self._from_big_accounts, *timelines.own(self.context)]
        """The sources of the timeline, which are read in the same round trip."""
        if not self.with_posts:
            self.sources = [big_reposts]
        if self.sees_reposts:
            self.sources.append(self._from_reposts)
        if self.with_reposts and start:
            outside = [Item(self.began + 1, 0), *((None,) if backward or start.score > self.began else ())]
            reads: list[Source] = [self._from_reposts, big_reposts]
            self.sources += [partial(self._read_outside, *one) for one in product(reads, outside)]

    async def _read_outside(self, read: Source, place: Item | None, before: Item | None, _: int) -> list[Item]:
        """Reads the newest reposts that are older than `place`, because reposts outside of the page decide where its
        posts stand. Returns no items. Does nothing while the page is filled up.
        """
        if before == self.window.start:
            await read(place, REPOSTS)
        return []

    async def _from_inbox(self, before: Item | None, count: int) -> list[Item]:
        """Returns up to `count` posts of followed users that are older than `before`. Adds reposts, and their source,
        if the inbox tells that these users have reposted. Reading the first page extends the life of the inbox.
        """
        state, viewer, first = self.context.state, EntityRef(USERS, self.user_id), before is None
        if first:
            renew(state.cache, inbox_key(viewer))
        backward = isinstance(before, Above)
        (posts,) = await lists.read(state, INBOXES, [ListPage(viewer, before, count + (first or backward))])
        if backward:
            return [post for post in posts if post != HAS_REPOSTS][:count]
        if posts[:1] != [HAS_REPOSTS]:
            return posts[:count]
        if not self.with_reposts or self._from_reposts in self.sources:
            return posts[1:]
        self.sees_reposts = True
        self.context.shared.memories.sees_reposts.remember({self.user_id: True})
        self.sources.append(self._from_reposts)
        return sorted([*posts[1:], *await self._from_reposts(before, count)], reverse=True)[:count]

    async def _from_reposts(self, before: Item | None, count: int) -> list[Item]:
        """Returns up to `count` reposts by followed users that are older than `before`. Reading the first page extends
        the life of the cached list.
        """
        viewer = EntityRef(USERS, self.user_id)
        if before is None:
            renew(self.context.state.cache, reposts_key(viewer))
        (items,) = await lists.read(self.context.state, FOLLOWED_REPOSTS, [ListPage(viewer, before, count)])
        return self._noted(items)

    async def _from_big_accounts(self, before: Item | None, count: int, *, only_reposts: bool = False) -> list[Item]:
        """Returns up to `count` posts and reposts, older than `before`, of big accounts that the viewer follows; only
        reposts if `only_reposts` is true.
        """
        big_accounts = self.context.shared.big_accounts
        newest = await big_accounts.authors()
        if not newest:
            return []
        followed = {*await self.context.own.followed_among({abs(author) for author in newest})}
        wanted = {
            author: moment
            for author, moment in newest.items()
            if abs(author) in followed and (self.with_reposts if author < 0 else not only_reposts)
        }
        self.sees_reposts |= min(wanted, default=0) < 0
        return self._noted(await big_accounts.page(wanted, before, count))

    def _noted(self, items: list[Item]) -> list[Item]:
        """Returns `items`, after adding the reposts among them to those that were read."""
        for item in items:
            repost = repost_of(item.member)
            if repost[0]:
                self._reposts[repost] = max(item, self._reposts.get(repost, item))
        return items

    async def load(self, items: Sequence[Item]) -> list[PostRow | None]:
        """Returns the post of each item. None for an item that does not belong in the timeline: the viewer may not see
        the post, or mutes or does not follow its author or the user who reposts it, the repost does not stand, the post
        stands elsewhere, or the filter leaves it out.

        Authors that this process remembers are looked up in the same round trip as the posts.
        """
        context, follows = self.context, self.context.own.follows
        found = [repost_of(item.member) for item in items]
        ids = [post_id for _, post_id in found]
        reposts = sorted(one for one in self._reposts if one[1] in {*ids}) if self._reposts else []
        follows.ask(sorted({*context.shared.memories.authors.of(ids)} - {0} | {user for user, _ in reposts}))
        asked = self._ask_for(reposts) if reposts else None
        posts = await context.content.feed_posts(ids)
        authors = sorted({post.author_id for post in posts if post})
        states = await follows.ask(authors)
        followed = {author for author, state in zip(authors, states, strict=True) if state is FollowState.FOLLOWS}
        stands = await self._standing(reposts, asked) if asked else ()
        places = grouped((post_id, self._reposts[user, post_id]) for user, post_id in stands)
        rows: list[PostRow | None] = []
        for item, (user, post_id), post in zip(items, found, posts, strict=True):
            is_own = post is not None and post.author_id in followed | {self.user_id}
            some = places.get(post_id, [])
            if some and post and is_own:
                some = [*some, Item(post.moment, post_id) if user else item]
            listed = item == _place_in(some, self.began) if some else is_own and not user
            why = HomeReason(HomeReasonKind.REPOST, user) if user and listed else None
            if self._topics is not None and post:
                why = None if some or is_own else topic_feeds.reason(self._topics, post)
                listed = why is not None
            if post and isinstance(self.filter.has_images, bool) and self.filter.has_images != bool(post.pictures):
                listed = False
            rows.append(post if listed else None)
            if rows[-1] and why:
                self.reasons[item.member] = why
        return rows

    async def add_topics(self, page: Connection[PostRow], topics: Followed) -> None:
        """Gives posts of these topics places on the page. The page keeps as many items as it may have, those at its
        start in the direction of reading. If the posts cannot be read, the page stays as it is, and
        `extensions.degraded` lists `Viewer.home`.
        """
        context, self._topics = self.context, topics
        try:
            found = await topic_feeds.candidates(context, topics, page.items, self.window.start)
            rows = dict(zip([item.member for item in found], await self.load(found), strict=True))
        except Unavailable as error:
            context.degraded.incomplete("Viewer.home", error)
            return
        shown = [item for item in found if rows[item.member]]
        spacing = context.state.settings.people.topic_spacing
        items = topic_feeds.woven(page.items, shown, spacing, is_first=self.window.start is None)
        page.by_id, more = {**rows, **page.by_id}, len(items) > self.window.most
        if isinstance(self.window.start, Above):
            page.items, page.has_previous_page = items[-self.window.most :], page.has_previous_page or more
        else:
            page.items, page.has_next_page = items[: self.window.most], page.has_next_page or more

    def _ask_for(self, reposts: Sequence[Repost]) -> Awaitable[Sequence[bool]]:
        """Starts to read which of these reposts stand, and the profiles of their users. Returns whether each stands."""
        self.context.content.kept_users.ask(sorted({user for user, _ in reposts}))
        return self.context.lists.standing_reposts.ask(reposts)

    async def _standing(self, reposts: Sequence[Repost], asked: Awaitable[Sequence[bool]]) -> Collection[Repost]:
        """Returns those of these reposts that stand and whose users bring posts into the viewer's timeline. `asked` is
        the result of `_ask_for`.
        """
        shown = await shown_reposters(self.context, {user for user, _ in reposts})
        return {one for one, stands in zip(reposts, await asked, strict=True) if stands and one[0] in shown}
