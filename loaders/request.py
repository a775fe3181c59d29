"""The loaders of one request: they return values as the viewer of the request may see them."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import cached_property, partial
from operator import attrgetter
from typing import TypeVar

from domain.errors import Forbidden
from domain.ids import PostId
from loaders import collections, follows, notifications, overlays
from loaders.collections import UserCollections
from loaders.counts import ActionCounts, SeenCounts
from loaders.lists import ListPage
from loaders.loader import Loader
from loaders.notifications import Visible
from loaders.outcomes import tried
from loaders.overlays import Own
from loaders.own_sets import NotLookedUp, states_of
from loaders.request_content import ContentLoaders
from models.comment_settings import CommentSettings, SubjectKey
from models.counters import Counts, EntityRef
from models.follows import FollowState, Relation
from models.likes import Reaction
from models.notifications import Newest, NotificationRow
from models.pinned_posts import PinnedPosts
from models.saves import NOT_SAVED
from models.users import UserRow
from settings import USERS
from store.cache.lists import Item
from store.content.comment_settings import CommentSettingsPatch
from store.content.patches import Patches
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown
from store.write_log.operations import Changed
from store.write_log.pending import FOLLOW, REACT, SAVE, Pending

_NO_USERS: frozenset[int] = frozenset()
_NEWEST_LIKERS = 200
"""The number of an entity's newest likers that are searched for followed users (L8)."""
_ASK_EACH_UP_TO = 200
"""The number of users above which the viewer's whole follow set is read, instead of a lookup for each user."""


T = TypeVar("T")
_REACTIONS = tuple(Reaction)


class Loaders(ContentLoaders):
    """The loaders of one request. They keep what they have loaded until the request ends."""

    @cached_property
    def _exact(self) -> set[EntityRef]:
        """The entities for which `require_exact` was called."""
        return set()

    def require_exact(self, refs: Iterable[EntityRef]) -> None:
        """Makes the reactions loader read rows for these entities if their reactions are not cached, even if pages of
        their business do not read rows. Call it for single objects, and where the reaction must be known.
        """
        for ref in refs:
            self._exact.add(ref)
            self.reactions.clear(ref)
            self.saves.clear(ref)

    def prime_reaction(self, ref: EntityRef, changed: Changed, counts: Counts | None) -> None:
        """Stores what is known about an object to which the viewer has just reacted: the reaction and the counters.
        `changed` is the reply of the script. `counts`, None if they are not cached, may have been read before or after
        the change: the viewer's pending changes are applied to them.
        """
        self.reactions.prime(ref, Reaction(changed.state))
        self._prime_counts(ref, changed, counts)

    def prime_save(self, ref: EntityRef, changed: Changed, counts: Counts | None) -> None:
        """Stores what is known about an object that the viewer has just saved or unsaved, as `prime_reaction` does."""
        self.saves.prime(ref, changed.state != NOT_SAVED)
        self._prime_counts(ref, changed, counts)

    def _prime_counts(self, ref: EntityRef, changed: Changed, counts: Counts | None) -> None:
        if counts and (seen := SeenCounts(ref, counts, changed.pending)).is_known:
            self.counts.prime(ref, seen)

    async def followed_among(self, users: Collection[int]) -> list[int]:
        """Returns the users among `users` that the viewer follows. The viewer must be signed in."""
        if len(users) <= _ASK_EACH_UP_TO:
            states = await self.follows.load_many([*users])
            return [user for user, state in zip(users, states, strict=True) if state is FollowState.FOLLOWS]
        assert self._viewer_id is not None
        pending = self._pending.ask_for_follows()
        followees = await follows.all_followees(self._state, self._viewer_id, pending)
        return [user for user in followees if user in users]

    @cached_property
    def counts(self) -> Loader[EntityRef, Counts | SeenCounts]:
        """Loads the counters of an entity or user, with the viewer's pending changes."""
        return Loader("counts", self._counts)

    @cached_property
    def action_counts(self) -> ActionCounts:
        """Loads the value of a business's own counter, by object and name of the counter."""
        return ActionCounts(self.counts, self._state.businesses_by_id)

    @cached_property
    def notifications(self) -> Loader[int, Newest]:
        """Loads the newest notifications of the viewer, by the viewer's id. Other ids are not allowed."""
        return Loader(
            "notifications",
            partial(notifications.newest, self._state, self._shared.notifications),
            beside=self._notifications_beside,
        )

    def _notifications_beside(self, users: Sequence[int]) -> None:
        for user in users:
            if known := self.hints.notified.get(user):
                notifications.ask_for_contents(self, known)

    async def visible_notifications(self, rows: Sequence[NotificationRow]) -> Visible:
        """Returns the notifications among `rows` that the viewer may see, with the actors that the viewer may see."""
        assert self._viewer_id is not None
        return await notifications.visible(self, self._viewer_id, rows) if rows else Visible(())

    @cached_property
    def reactions(self) -> Loader[EntityRef, Reaction | None]:
        """Loads the viewer's reactions by entity: None for an anonymous viewer, NotLookedUp for a reaction that a page
        must not look up in rows.
        """
        return Loader("reactions", self._reactions)

    @cached_property
    def saves(self) -> Loader[EntityRef, bool | None]:
        """Loads whether the viewer has saved entities, by entity: None for an anonymous viewer, NotLookedUp for a save
        that a page must not look up in rows.
        """
        return Loader("saves", self._saves)

    @cached_property
    def collections(self) -> Loader[int, UserCollections]:
        """Loads all collections of users, newest first, by user id."""
        return Loader("collections", partial(collections.of_users, self._state))

    @cached_property
    def public_collections(self) -> Loader[int, UserCollections]:
        """Loads the public collections of users, newest first, by user id: none of a user whose lists are hidden from
        the viewer.
        """
        return Loader("public_collections", self._public_collections)

    @cached_property
    def relations(self) -> Loader[int, Relation | None]:
        """Loads the relations between the viewer and users, by user id: None for an anonymous viewer."""
        return Loader("relations", self._relations)

    @cached_property
    def followed_by(self) -> Loader[int, bool]:
        """Loads whether users follow the viewer, by user id. The viewer must be signed in."""
        return Loader("followed_by", self._followed_by)

    @cached_property
    def seen_likers(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the users who like an entity, with the viewer's pending changes."""
        return Loader("seen_likers", partial(self._seen, "Reactable.likers", self.likers, self._own_likes))

    @cached_property
    def seen_followers(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a user's followers, with the viewer's pending changes."""
        return Loader("seen_followers", partial(self._seen, "User.followers", self.followers, self._own_follows))

    @cached_property
    def seen_friends(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a user's friends, with the viewer's pending changes."""
        return Loader("seen_friends", partial(self._seen, "User.friends", self.friends, self._own_friends))

    @cached_property
    def liked_by_followed(self) -> Loader[tuple[EntityRef, int], list[UserRow] | None]:
        """Loads the users that the viewer follows among an entity's newest likers, by entity and maximum number of
        users. Loads None if no user is signed in.
        """
        return Loader("liked_by_followed", self._liked_by_followed)

    @cached_property
    def comment_settings(self) -> Loader[SubjectKey, CommentSettings]:
        """Loads the settings of comments on posts and entities, by the key of the post or entity. Applies the viewer's
        own unpublished changes.
        """
        return Loader("comment_settings", self._patched_settings)

    async def _patched_settings(self, subjects: Sequence[SubjectKey]) -> list[CommentSettings | PostgresDown]:
        def settings(patches: Patches) -> dict[SubjectKey, Sequence[CommentSettingsPatch]]:
            return {key: some for key, some in patches.settings.items() if self._allows(self._business_of(key[0]))}

        return await self._patched.documents(self._shared.comment_settings, settings, subjects)

    @cached_property
    def pinned_posts(self) -> Loader[int, PinnedPosts]:
        """Loads the posts that users have pinned, by user id. Applies the viewer's own unpublished changes."""
        return Loader("pinned_posts", self._pinned_posts)

    async def _pinned_posts(self, users: Sequence[int]) -> list[PinnedPosts | PostgresDown]:
        return await self._patched_in(PostId.business).documents(self._shared.pinned_posts, attrgetter("pins"), users)

    async def _counts(self, refs: Sequence[EntityRef]) -> list[Counts | SeenCounts | PostgresDown]:
        coming = self._pending.ask(self._allowed(refs))
        own = EntityRef(USERS, self._viewer_id) if self._viewer_id else None
        counts = await self._shared.counts.get_each(refs, local=self._local, fresh=(own,))
        pending = await coming()
        if not pending.histories:
            return [*counts]
        touched = pending.affected | {own}
        fans = await tried(self._fans_among(pending)) if own in refs else _NO_USERS

        def seen(ref: EntityRef, one: Counts | PostgresDown) -> Counts | SeenCounts | PostgresDown:
            if ref not in touched or not isinstance(one, Counts) or not self._is_for(ref):
                return one
            if ref != own:
                overlaid = SeenCounts(ref, one, pending)
            elif isinstance(fans, PostgresDown):
                return fans
            else:
                overlaid = SeenCounts(ref, one, pending, own=True, fans=fans)
            return overlaid if overlaid.is_known else PostgresDown()

        return list(map(seen, refs, counts))

    async def _fans_among(self, pending: Pending) -> frozenset[int]:
        """Returns the users who follow the viewer, among those with a pending follow or unfollow by the viewer."""
        users = [ref.entity_id for ref in pending.all_of(FOLLOW)]
        if not users:
            return frozenset()
        return frozenset(user for user, yes in zip(users, await self.followed_by.load_many(users), strict=True) if yes)

    async def _reactions(self, refs: Sequence[EntityRef]) -> Sequence[Reaction | NotLookedUp | Forbidden | None]:
        return await self._of_viewer(REACT, refs, _REACTIONS.__getitem__)

    async def _saves(self, refs: Sequence[EntityRef]) -> Sequence[bool | NotLookedUp | Forbidden | None]:
        return await self._of_viewer(SAVE, refs, bool)

    async def _public_collections(self, users: Sequence[int]) -> Sequence[UserCollections | Exception]:
        self.collections.ask(users)
        hidden = {} if self._moderates_users else await self.visibility_in(None).hidden_authors(users)
        return await collections.public(self.collections, hidden, users)

    async def _of_viewer(
        self, what: str, refs: Sequence[EntityRef], value: Callable[[int], T]
    ) -> Sequence[T | NotLookedUp | Forbidden | None]:
        """Returns the value of the viewer's state about each object, in own sets of the kind `what`: None without a
        viewer, Forbidden for objects of businesses that the token does not allow.
        """
        if self._viewer_id is None:
            return [None] * len(refs)
        allowed = self._allowed(refs)
        pending = self._pending.ask(allowed)
        states = await states_of(what, self._state, self._viewer_id, pending, allowed, self._exact) if allowed else []
        found = [one if isinstance(one, NotLookedUp) else value(one) for one in states]
        if len(allowed) == len(refs):
            return found
        known = dict(zip(allowed, found, strict=True))
        return [
            known[ref] if ref in known else Forbidden("This token is restricted to other businesses.") for ref in refs
        ]

    def _allowed(self, refs: Sequence[EntityRef]) -> Sequence[EntityRef]:
        return refs if self._businesses is None else [ref for ref in refs if self._is_for(ref)]

    def _is_for(self, ref: EntityRef) -> bool:
        return self._allows(self._business_of(ref.business_id))

    def _business_of(self, business_id: int) -> str | None:
        """Returns the name of a business, or None for users and topics, which belong to no business."""
        business = self._state.businesses_by_id.get(business_id)
        return business.name if business else None

    async def _relations(self, users: Sequence[int]) -> list[Relation | None]:
        viewer = self._viewer_id
        if viewer is None:
            return [None] * len(users)
        asked = self.followed_by.ask(users)
        follows, followed = await self._follows(users), await asked
        return [
            Relation.SELF if user == viewer else Relation.of(state, other)
            for user, state, other in zip(users, follows, followed, strict=True)
        ]

    async def _followed_by(self, users: Sequence[int]) -> list[bool]:
        assert self._viewer_id is not None
        return await follows.followed_by(self._state, self._viewer_id, users)

    async def _seen(
        self,
        field: str,
        source: overlays.PageLoader,
        own: Callable[[Sequence[EntityRef]], Awaitable[Sequence[Own]]],
        pages: Sequence[ListPage],
    ) -> list[list[Item] | PostgresDown]:
        """Returns pages of `source` with the viewer's pending changes, which `own` returns. While Redis is down, the
        pages lack these changes, and `field` is listed in `extensions.degraded`.
        """
        if self._viewer_id is None or not any(self._is_for(page.of) for page in pages):
            return await source.ask(pages, each=True)
        try:
            return await overlays.overlaid(source, own, pages)
        except RedisDown as error:
            self._degraded.incomplete(field, error)
            return await source.ask(pages, each=True)

    async def _own_likes(self, entities: Sequence[EntityRef]) -> Sequence[Own]:
        assert self._viewer_id is not None
        pending, viewer = await self._pending.ask(entities)(), self._viewer_id
        return [overlays.joined(pending, REACT, viewer, ref) if self._is_for(ref) else {} for ref in entities]

    async def _own_follows(self, users: Sequence[EntityRef]) -> Sequence[Own]:
        assert self._viewer_id is not None
        pending, viewer = await self._pending.ask_for_follows()(), self._viewer_id
        return [overlays.joined(pending, FOLLOW, viewer, ref) for ref in users]

    async def _own_friends(self, users: Sequence[EntityRef]) -> Sequence[Own]:
        assert self._viewer_id is not None
        pending = await self._pending.ask_for_follows()()
        return await overlays.befriended(self._state.cache, pending, self.followed_by, self._viewer_id, users)

    def _newest_likers(self, ref: EntityRef) -> ListPage:
        cached = self._state.businesses_by_id[ref.business_id].cached_likers
        return ListPage(ref, None, min(cached, _NEWEST_LIKERS), partial=True)

    async def _liked_by_followed(self, wanted: Sequence[tuple[EntityRef, int]]) -> list[list[UserRow] | None]:
        if self._viewer_id is None:
            return [None] * len(wanted)
        likers = await self.likers.load_many([self._newest_likers(ref) for ref, _ in wanted])
        people = sorted({item.member for items in likers for item in items})
        follows = await self._follows(people) if people else []
        followed = {person for person, state in zip(people, follows, strict=True) if state is FollowState.FOLLOWS}
        chosen = [[item.member for item in items if item.member in followed] for items in likers]
        # Profiles of all of them, because hidden users must not shorten the list.
        rows = await asyncio.gather(*[self.users.ask(some, each=True) for some in chosen])
        return [_first_shown(some, most) for some, (_, most) in zip(rows, wanted, strict=True)]


def _first_shown(rows: Sequence[UserRow | Exception | None], most: int) -> list[UserRow]:
    """Returns the first users, without hidden ones. Raises the exception of a user who may be one of the first."""
    first = [row for row in rows if row][:most]
    if error := next((row for row in first if isinstance(row, Exception)), None):
        raise error
    return first  # type: ignore[return-value]  # no exceptions are left
