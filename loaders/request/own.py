"""Loads what the viewer of one request has done, and counters and lists with the viewer's pending changes. A pending
change is accepted, but may not be in all stored and cached values yet.
"""

import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from domain.errors import Forbidden
from domain.versions import moment_of
from loaders import collections, follows, notifications, pending_items
from loaders.boundaries import ViewerBoundaries
from loaders.collections import UserCollections
from loaders.counts import ActionCounts, seen
from loaders.lists import ListPage
from loaders.loader import Each, Loader, all_of, loads, tried
from loaders.own_sets import states_of
from loaders.patched import Patched
from loaders.pending import ActorsPending
from loaders.pending_items import OwnItems
from loaders.request.lists import Lists
from loaders.request.reader import RequestLoaders
from models.counters import Counts, EntityRef
from models.follows import FOLLOW, FollowState, Relation
from models.likes import REACT, bit_of, kinds_in
from models.notifications import Newest
from models.reposts import REPOST
from settings import COMMENTS, POSTS, USERS
from store.cache.lists import Item, newest_of
from store.content.comments import Hidden
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown
from store.write_log.operations import Changed

_NO_USERS: frozenset[int] = frozenset()
_ASK_EACH_UP_TO = 200
"""The largest number of users for whom it is looked up one by one whether the viewer follows them. For more users, the
whole set of followed users is read.
"""
_FOLLOWS = tuple(FollowState)


@dataclass(eq=False)
class Own(RequestLoaders):
    """The loaders of what the viewer has done, and of counters and lists with the viewer's pending changes."""

    lists: Lists
    _by_kind: dict[str, Loader[EntityRef, int | None]] = field(default_factory=dict, init=False)
    """The loaders of `states`, by kind."""
    _seen_reactors: dict[int, Loader[ListPage, list[Item]]] = field(default_factory=dict, init=False)
    """The loaders of `seen_reactors`, by kind."""
    _exact: set[EntityRef] = field(default_factory=set, init=False)
    """The objects for which `require_exact` was called."""

    def __post_init__(self) -> None:
        self._pending = ActorsPending(self.state, self.reader.actor_id)
        # Moderators see the decisions of other moderators as soon as they are published.
        self.patched = Patched(self.state, self.reader.viewer_id, self.local and not self.reader.moderates)
        """The viewer's changes of posts, comments and settings that may not be stored yet. Read those of a business (a
        kind of content) through `patched_in`.
        """
        self.boundaries = ViewerBoundaries(self.state, self.reader.viewer_id)
        """The users that the viewer blocks and mutes, and those who block the viewer."""

    def states(self, kind: str) -> Loader[EntityRef, int | None]:
        """Returns the loader of the viewer's states about objects in own sets of one kind, such as the reactions or the
        saves (store/own_sets/kinds/). All states are None if no user is signed in.

        Two exceptions can be in the place of a state: NotLookedUp if the page must not look it up in Postgres,
        Forbidden if the token does not allow the business of the object. `load`, and `ask` without `each`, raise them.
        """
        if kind not in self._by_kind:
            self._by_kind[kind] = Loader(f"{kind} states", partial(self._states, kind))
        return self._by_kind[kind]

    @loads
    async def follows(self, users: Sequence[int]) -> Each[FollowState]:
        """Loads whether the viewer follows users or has asked to, by user id. The viewer must be signed in."""
        assert self.reader.viewer_id is not None
        pending = self._pending.ask_for_follows()
        refs = [EntityRef(USERS, user) for user in users]
        states = await states_of(FOLLOW, self.state, self.reader.viewer_id, pending, refs)
        return [_FOLLOWS[one] for one in all_of(states)]

    @loads
    async def followed_by(self, users: Sequence[int]) -> Each[bool]:
        """Loads whether users follow the viewer, by user id. The viewer must be signed in."""
        assert self.reader.viewer_id is not None
        return await follows.followed_by(self.state, self.reader.viewer_id, users)

    @loads
    async def relations(self, users: Sequence[int]) -> Each[Relation | None]:
        """Loads the relation between the viewer and each user, such as FOLLOWING, by user id. None for an anonymous
        viewer.
        """
        viewer = self.reader.viewer_id
        if viewer is None:
            return [None] * len(users)
        asked = self.follows.ask(users), self.followed_by.ask(users)
        return [
            Relation.SELF if user == viewer else Relation.of(state, follows_back)
            for user, state, follows_back in zip(users, await asked[0], await asked[1], strict=True)
        ]

    @loads
    async def collections(self, users: Sequence[int]) -> Each[UserCollections]:
        """Loads all collections of users, newest first, by user id."""
        return await collections.of_users(self.state, users)

    @loads
    async def notifications(self, users: Sequence[int]) -> Each[Newest]:
        """Loads the newest notifications of the viewer, by the viewer's id. Other ids are not allowed."""
        return await notifications.newest(self.state, self.shared.notifications, users)

    @loads
    async def hidden_comments(self, users: Sequence[int]) -> Each[tuple[Hidden, ...]]:
        """Loads an author's newest hidden comments (not approved, so only their author sees them), by the author's id.
        They are as stored: changes that are not stored yet are missing.
        """
        return await self.shared.hidden_comments.get_each(users, local=self.local)

    @loads
    async def counts(self, refs: Sequence[EntityRef]) -> Each[Counts]:
        """Loads the counters of entities and users, with the viewer's pending changes."""
        viewer = self.reader.viewer_id
        coming = self._pending.ask(self._allowed(refs))
        own = EntityRef(USERS, viewer) if viewer else None
        counts = await self.shared.counts.get_each(refs, local=self.local, fresh=(own,))
        pending = await coming
        if not pending.histories:
            return counts
        changed, follows = pending.by_object(), pending.all_of(FOLLOW)
        fans = await tried(self._fans_among(follows)) if own in refs else _NO_USERS

        def overlaid(ref: EntityRef, one: Counts | PostgresDown) -> Counts | PostgresDown:
            if not isinstance(one, Counts) or not self._is_for(ref):
                return one
            if ref != own:
                return (seen(one, pending.partition, changed[ref]) or PostgresDown()) if ref in changed else one
            if isinstance(fans, PostgresDown):
                return fans
            friendships = [history for user, history in follows.items() if user.entity_id in fans]
            mine = {"follows": [*follows.values()], "friendships": friendships}
            return seen(one, pending.partition, changed.get(ref, {}), **mine) or PostgresDown()

        return list(map(overlaid, refs, counts))

    @cached_property
    def action_counts(self) -> ActionCounts:
        """Loads the values of counters that businesses define. A key is an object and the name of a counter."""
        return ActionCounts(self.counts, self.state.businesses_by_id)

    @loads
    async def seen_likers(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the users who like an entity. The viewer's own like or unlike is included at once."""
        return await self._seen("Reactable.likers", self.lists.likers, partial(self._own_items, REACT), pages)

    @loads
    async def seen_reposters(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the users who repost a post. The viewer's own change is included at once."""
        own = partial(self._own_items, REPOST)
        return await self._seen("Post.reposters", self.lists.reposters, own, pages)

    def seen_reactors(self, kind: int) -> Loader[ListPage, list[Item]]:
        """Returns the loader of pages of the users who have given an entity the kind of reaction with the id `kind`.
        The viewer's own reaction is included at once.
        """
        if kind not in self._seen_reactors:
            own = partial(self._own_items, REACT, joins=lambda state: bool(kinds_in(state) & bit_of(kind)))
            read = partial(self._seen, "Reactable.reactors", self.lists.reactors(kind), own)
            self._seen_reactors[kind] = Loader("seen reactors", read)
        return self._seen_reactors[kind]

    @loads
    async def seen_followers(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of a user's followers. The viewer's own follow or unfollow is included at once."""
        return await self._seen("User.followers", self.lists.followers, self._own_follows, pages)

    @loads
    async def seen_friends(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of a user's friends. The viewer's own follows and unfollows are included at once."""
        return await self._seen("User.friends", self.lists.friends, self._own_friends, pages)

    def require_exact(self, refs: Iterable[EntityRef]) -> None:
        """Makes the loaders of `states` always look up these objects: in Postgres if they are not cached, even if pages
        of their business do not read Postgres. Call it for single objects, and where the state must be known.
        """
        for ref in refs:
            self._exact.add(ref)
            for states in self._by_kind.values():
                states.clear(ref)

    def prime(self, kind: str, ref: EntityRef, changed: Changed, counts: Counts | None) -> None:
        """Stores the state and the counters of an object that the viewer has just changed, so that they are not read
        again.

        `kind` is the kind of own set, and `changed` the result of the change. `counts`, None if they are not cached,
        may have been read before or after the change: the viewer's pending changes are applied to them.
        """
        self.states(kind).prime([(ref, changed.state)])
        if counts and (shown := seen(counts, changed.partition, changed.pending)):
            self.counts.prime([(ref, shown)])

    async def followed_among(self, users: Collection[int]) -> list[int]:
        """Returns the users among `users` that the viewer follows. The viewer must be signed in."""
        if len(users) <= _ASK_EACH_UP_TO:
            states = await self.follows.ask([*users])
            return [user for user, state in zip(users, states, strict=True) if state is FollowState.FOLLOWS]
        assert self.reader.viewer_id is not None
        pending = self._pending.ask_for_follows()
        followees = await follows.all_followees(self.state, self.reader.viewer_id, pending)
        return [user for user in followees if user in users]

    def patched_in(self, business_id: int) -> Patched:
        """Returns the object that applies the viewer's latest changes to posts and comments of a business. It applies
        no changes if the token is for other businesses.
        """
        return self.patched if self.reader.is_for(business_id) else Patched(self.state, None, self.local)

    async def just_now(self, before: Item | None = None, count: int = sys.maxsize) -> list[Item]:
        """Returns the newest `count` posts, older than `before`, that the viewer has just published and that other
        users may not see yet. Raises RedisDown if they cannot be read.
        """
        patches = await self.patched_in(POSTS).patches()
        each = ((post_id, patch) for post_id, some in patches.posts.items() for patch in some)
        return newest_of((Item(moment_of(patch.version), id_) for id_, patch in each if patch.publishes), before, count)

    def ask_for_comments(self) -> None:
        """Starts to read the viewer's own comments that lists may lack, because they are not stored yet or not
        approved. They share the round trip of the lists.
        """
        if (viewer := self.reader.viewer_in(COMMENTS)) is not None:
            self.patched.ask()
            self.hidden_comments.ask([viewer])

    async def _fans_among(self, changed: Iterable[EntityRef]) -> frozenset[int]:
        """Returns the ids of those users in `changed` who follow the viewer. The viewer has just followed or unfollowed
        the users in `changed`.
        """
        users = [ref.entity_id for ref in changed]
        if not users:
            return frozenset()
        return frozenset(user for user, yes in zip(users, await self.followed_by.ask(users), strict=True) if yes)

    async def _states(self, kind: str, refs: Sequence[EntityRef]) -> Each[int | None]:
        if (viewer := self.reader.viewer_id) is None:
            return [None] * len(refs)
        allowed = self._allowed(refs)
        pending = self._pending.ask(allowed)
        found = await states_of(kind, self.state, viewer, pending, allowed, self._exact) if allowed else []
        if len(allowed) == len(refs):
            return found
        known = dict(zip(allowed, found, strict=True))
        return [
            known[ref] if ref in known else Forbidden("This token is restricted to other businesses.") for ref in refs
        ]

    def _allowed(self, refs: Sequence[EntityRef]) -> Sequence[EntityRef]:
        return refs if self.reader.businesses is None else list(filter(self._is_for, refs))

    def _is_for(self, ref: EntityRef) -> bool:
        return self.reader.is_for(ref.business_id)

    async def _seen(
        self,
        field: str,
        source: pending_items.PageLoader,
        own: Callable[[Sequence[EntityRef]], Awaitable[Sequence[OwnItems]]],
        pages: Sequence[ListPage],
    ) -> list[list[Item] | PostgresDown]:
        """Returns pages of `source` with the viewer's pending changes, which `own` reads. While Redis is down, the
        pages lack these changes, and `field` (a schema coordinate) is listed in `extensions.degraded`. PostgresDown is
        in the place of a page that cannot be read.
        """
        if self.reader.viewer_id is None or not any(self._is_for(page.of) for page in pages):
            return await source.ask(pages, each=True)
        try:
            return await pending_items.overlaid(source, own, pages)
        except RedisDown as error:
            self.degraded.incomplete(field, error)
            return await source.ask(pages, each=True)

    async def _own_items(
        self, kind: str, refs: Sequence[EntityRef], joins: Callable[[int], bool] = pending_items.likes
    ) -> Sequence[OwnItems]:
        assert self.reader.viewer_id is not None
        pending, viewer = await self._pending.ask(refs), self.reader.viewer_id
        return [pending_items.joined(pending, kind, viewer, ref, joins) if self._is_for(ref) else {} for ref in refs]

    async def _own_follows(self, users: Sequence[EntityRef]) -> Sequence[OwnItems]:
        assert self.reader.viewer_id is not None
        pending, viewer = await self._pending.ask_for_follows(), self.reader.viewer_id
        return [pending_items.joined(pending, FOLLOW, viewer, ref) for ref in users]

    async def _own_friends(self, users: Sequence[EntityRef]) -> Sequence[OwnItems]:
        assert self.reader.viewer_id is not None
        pending = await self._pending.ask_for_follows()
        return await pending_items.befriended(self.state.cache, pending, self.followed_by, self.reader.viewer_id, users)
