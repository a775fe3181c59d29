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
at which the reading of the list began. Later reposts do not move posts in this reading.

resolvers/home_updates.py answers the subscription to new posts.
"""

from collections.abc import Awaitable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial

from context import Context
from domain.errors import BadCursor, Unavailable
from loaders import lists
from loaders.lists import ListPage
from loaders.reposts import Repost
from loaders.timelines import FOLLOWED_REPOSTS, INBOXES
from models.counters import EntityRef
from models.follows import FollowState
from models.home import HomeReason, HomeReasonKind
from models.posts import PostRow
from models.preferences import Preference
from models.reposts import repost_of
from models.users import ViewerRow
from resolvers import pages, timelines, topic_feeds
from resolvers.pages import Connection, Scope
from resolvers.reposts import shown_reposters
from resolvers.timelines import Source
from resolvers.topic_feeds import Followed
from settings import USERS
from store.cache.lists import Item
from store.content.inboxes import HAS_REPOSTS, REPOSTS, inbox_key, renew, reposts_key

_SPARE = 10
"""How many more candidates are read if users have reposted, because several users may have reposted the same post."""


async def home(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None, *, reposts: bool = True
) -> list[Connection[PostRow] | BadCursor]:
    """Resolves Viewer.home: a page of the viewer's home timeline, without reposts and posts of topics if `reposts` is
    false; BadCursor if `after` is not a cursor of the list. There is one viewer per request: the caller. Raises
    BadInput unless `first` is 1 to 100; Unavailable if the page cannot be read or filled.
    """
    user_id, cursors = viewers[0].user_id, context.state.cursors
    pages.check_first(first)
    scope = Scope(f"home:{user_id}")
    try:
        before, top = pages.position(cursors, scope, after)
    except BadCursor as error:
        return [error] * len(viewers)
    if before and top < before.score:  # a cursor of a reading without reposts, or of an older version
        top = 0
    reading = _Reading(context, user_id, before, top, with_reposts=reposts and (not before or top > 0))
    spare = _SPARE if reading.sees_reposts else 0
    items, by_id = await timelines.collect(reading.load, reading.sources, before, first + 1, spare=spare)
    page = Connection(cursors, scope.name, items[:first], 0, by_id, len(items) > first, after is not None)
    page.home_reasons = reading.reasons
    if reposts and items:
        found = await context.own.boundaries.get()  # which the posts have needed, too
        if Preference.TOPICS_IN_HOME in found.preferences:
            await reading.add_topics(page, found.content_follows, first)
    if not before and reading.sees_reposts and items:
        top = page.items[0].score
    page.places = partial(_place, page.items, top)
    reading.sources.clear()  # they refer to `reading`
    return [page] * len(viewers)


def _place(items: Sequence[Item], top: int, at: int) -> tuple[int, ...]:
    """Returns what the cursor of the item with the index `at` contains: the item, and when the reading began."""
    return *items[at], top


@dataclass(eq=False)
class _Reading:
    """Reads one page of a user's home timeline."""

    context: Context
    user_id: int
    before: Item | None
    """The last item of the page before; None on the first page."""
    top: int
    """The moment at which the reading of the list began; 0 on the first page, and if no reposts were seen on it."""
    with_reposts: bool
    reasons: dict[int, HomeReason] = field(default_factory=dict, init=False)
    """Why items are in the list, by member."""
    _topics: Followed | None = field(default=None, init=False)
    """The topics of which `load` returns the posts, without those of followed users; None while it returns the posts of
    followed users.
    """
    _above: list[Repost] = field(default_factory=list, init=False)
    """The reposts above the page."""
    _found: set[int] = field(default_factory=set, init=False)
    """The ids of the posts that were found for the page."""

    def __post_init__(self) -> None:
        remembered = self.context.shared.memories.sees_reposts.of([self.user_id])
        self.sees_reposts = self.with_reposts and bool(remembered or self.before)
        """Whether users whom the viewer follows have reposted, as far as it is known."""
        self.sources: list[Source] = [self._from_inbox, self._from_big_accounts, *timelines.own(self.context)]
        """The sources of the timeline, which are read in the same round trip."""
        if self.sees_reposts:
            self.sources.append(self._from_reposts)
        if self.top:
            big_accounts = partial(self._from_big_accounts, only_reposts=True)
            self.sources += [partial(self._read_above, read) for read in (self._from_reposts, big_accounts)]

    async def _read_above(self, read: Source, before: Item | None, _: int) -> list[Item]:
        """Reads the reposts from the moment at which the reading began to the page. Returns no items: none of them
        belongs on the page. Does nothing while the page is filled up.
        """
        if before and before == self.before:
            items = await read(Item(self.top + 1, 0), REPOSTS)
            self._above += [repost_of(item.member) for item in items if item >= before]
        return []

    async def _from_inbox(self, before: Item | None, count: int) -> list[Item]:
        """Returns up to `count` posts of followed users that are older than `before`. Adds reposts, and their source,
        if the inbox tells that these users have reposted. Reading the first page extends the life of the inbox.
        """
        state, viewer, first = self.context.state, EntityRef(USERS, self.user_id), before is None
        if first:
            renew(state.cache, inbox_key(viewer))
        (posts,) = await lists.read(state, INBOXES, [ListPage(viewer, before, count + first)])
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
        return items

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
        return await big_accounts.page(wanted, before, count)

    async def load(self, members: Sequence[int]) -> list[PostRow | None]:
        """Returns the post of each item, given by its member. None for an item that does not belong in the timeline:
        the viewer may not see the post, or mutes or does not follow its author or the user who reposts it, the repost
        does not stand, or the post stands above.

        Authors that this process remembers are looked up in the same round trip as the posts.
        """
        context, follows = self.context, self.context.own.follows
        found = [repost_of(member) for member in members]
        ids = [post_id for _, post_id in found]
        reposts = {one for one in found if one[0]} | {one for one in self._above if one[1] in {*ids}}
        follows.ask(sorted({*context.shared.memories.authors.of(ids)} - {0} | {user for user, _ in reposts}))
        standing = self._standing(sorted(reposts)) if reposts else None
        posts = await context.content.feed_posts(ids)
        authors = sorted({post.author_id for post in posts if post})
        states = await follows.ask(authors)
        followed = {author for author, state in zip(authors, states, strict=True) if state is FollowState.FOLLOWS}
        stands = await standing if standing else frozenset()
        self._found |= {post_id for user, post_id in self._above if (user, post_id) in stands}
        rows: list[PostRow | None] = []
        for member, (user, post_id), post in zip(members, found, posts, strict=True):
            why = HomeReason(HomeReasonKind.REPOST, user) if user and (user, post_id) in stands else None
            listed = why or (not user and post and post.author_id in followed | {self.user_id})
            if self._topics is not None and post:
                why = listed = None if listed else topic_feeds.reason(self._topics, post)
            rows.append(post if listed and post_id not in self._found else None)
            if rows[-1]:
                self._found.add(post_id)
                if why:
                    self.reasons[member] = why
        return rows

    async def add_topics(self, page: Connection[PostRow], topics: Followed, first: int) -> None:
        """Gives posts of these topics places on the page. The page keeps at most `first` items. If the posts cannot be
        read, the page stays as it is, and `extensions.degraded` lists `Viewer.home`.
        """
        context, self._topics = self.context, topics
        try:
            found = await topic_feeds.candidates(context, topics, page.items, self.before)
            rows = dict(
                zip([item.member for item in found], await self.load([item.member for item in found]), strict=True)
            )
        except Unavailable as error:
            context.degraded.incomplete("Viewer.home", error)
            return
        shown = [item for item in found if rows[item.member]]
        spacing = context.state.settings.people.topic_spacing
        items = topic_feeds.woven(page.items, shown, spacing, is_first=self.before is None)
        page.items, page.by_id = items[:first], {**rows, **page.by_id}
        page.has_next_page = page.has_next_page or len(items) > first

    def _standing(self, reposts: Sequence[Repost]) -> Awaitable[Collection[Repost]]:
        """Starts to read which of `reposts` stand. Returns an awaitable for those of them whose users bring posts into
        the viewer's timeline.
        """
        users = {user for user, _ in reposts}
        self.context.content.kept_users.ask(sorted(users))
        stands = self.context.lists.standing_reposts.ask(reposts)

        async def found() -> Collection[Repost]:
            shown = await shown_reposters(self.context, users)
            return {one for one, yes in zip(reposts, await stands, strict=True) if yes and one[0] in shown}

        return found()
