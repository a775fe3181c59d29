"""The loaders that all requests of a process share: a read-through cache for each kind of value, and remembered ids."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from cachetools import LRUCache, TTLCache

from loaders.memory import Memories
from loaders.read_through import ReadThrough
from loaders.timelines import BigAccounts
from settings import COMMENTS, POSTS
from state import State
from store.content import comment_settings, comments, entities, pinned_posts, posts, topic_search, topics, trends
from store.notifications import notifications
from store.people import held_handles, identities, users
from store.people.identities import Identity
from store.reactions import counts

_DAY_MS = 86_400_000


K = TypeVar("K")
V = TypeVar("V")


def _each(read: Callable[[K], Awaitable[V]]) -> Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]:
    """Returns a function that reads the values of several keys, one after the other."""

    async def read_all(keys: Sequence[K]) -> Mapping[K, V]:
        return {key: await read(key) for key in keys}

    return read_all


class SharedLoaders:
    """The read-through caches of a process, and what it remembers. They hold no data of a single request."""

    def __init__(self, state: State) -> None:
        cache, postgres, kept_ms = state.cache, state.postgres, state.document_life_ms
        holders = partial(held_handles.holders, postgres, hold=state.settings.people.handle_hold)

        self.counts = ReadThrough(
            cache, counts.CODEC, partial(counts.read, postgres), lambda ref: state.counts_life_ms(ref.business_id)
        )
        self.entities = ReadThrough(cache, entities.CODEC, state.entities.by_key, lambda key: kept_ms(key[0]))
        self.entities_by_id = ReadThrough(
            cache, entities.ID_CODEC, state.entities.by_id, lambda ref: kept_ms(ref.business_id)
        )
        self.topics = ReadThrough(cache, topics.CODEC, partial(topics.names, postgres), lambda _: topics.LIFE_MS)
        least = state.settings.trends.least_authors
        self.trends = ReadThrough(
            cache,
            trends.CODEC,
            _each(lambda window: trends.read(postgres, state.now_ms(), least, window)),
            trends.life_ms,
        )
        self.typed = ReadThrough(
            cache, topic_search.CODEC, _each(partial(topic_search.typed, postgres)), lambda _: topic_search.LIFE_MS
        )
        self.users = ReadThrough(cache, users.CODEC, partial(users.by_id, postgres), lambda _: 7 * _DAY_MS)
        self.handles = ReadThrough(cache, held_handles.CODEC, holders, lambda _: _DAY_MS)
        self.identities = ReadThrough(
            cache, identities.CODEC, partial(identities.users_of, postgres), lambda _: 7 * _DAY_MS, local=False
        )
        self.posts = ReadThrough(cache, posts.CODEC, partial(posts.by_id, postgres), lambda _: kept_ms(POSTS))
        self.pinned_posts = ReadThrough(
            cache, pinned_posts.CODEC, partial(pinned_posts.by_user, postgres), lambda _: pinned_posts.LIFE_MS
        )
        self.comments = ReadThrough(
            cache, comments.CODEC, partial(comments.by_id, postgres), lambda _: kept_ms(COMMENTS)
        )
        self.hidden_comments = ReadThrough(
            cache, comments.HIDDEN_CODEC, partial(comments.hidden, postgres), lambda _: comments.LIFE_MS, local=False
        )
        self.comment_settings = ReadThrough(
            cache,
            comment_settings.CODEC,
            partial(comment_settings.by_subject, postgres),
            lambda _: comment_settings.LIFE_MS,
        )
        self.notifications = ReadThrough(
            cache,
            notifications.CODEC,
            partial(notifications.newest, postgres),
            lambda _: notifications.LIFE_MS,
            local=False,
        )
        self.memories = Memories()
        self.big_accounts = BigAccounts(state, self.memories.authors)
        self.signed_in = LRUCache[Identity, int](100_000)
        """The ids of users that this process has identified, by identity: the token's issuer and the user's id there.
        An identity belongs to one user until the account is deleted.
        """
        self.checked_accounts: TTLCache[int, bool] = TTLCache(100_000, state.settings.local_cache_seconds)
        """The ids of the viewers whose accounts were not deleted when this process read their profiles, for as long as
        local copies are valid.
        """
