"""The read-through caches of a process, one for each kind of cached value."""

from dataclasses import dataclass

from cachetools import LRUCache

from loaders.authors import AuthorMemory
from loaders.hints import AllHints
from loaders.read_through import Kind, ReadThrough
from loaders.removed import CommentedEntities
from loaders.timelines import BigAccounts
from models.comment_settings import CommentSettings, SubjectKey
from models.comments import CommentRow
from models.counters import Counts, EntityRef
from models.entities import EntityRow
from models.notifications import NOTHING, Newest
from models.pinned_posts import PinnedPosts
from models.posts import PostRow
from models.users import UserRow
from settings import COMMENTS, POSTS
from state import State
from store.content import comment_settings, comments, entities, pinned_posts, posts, topics
from store.content.comments import Hidden
from store.content.entities import EntityKey
from store.notifications import notifications
from store.people import users
from store.people.users import Identity
from store.postgres.client import Postgres
from store.reactions import counts

_DAY_MS = 86_400_000
NEGATIVE_MS = 30_000
"""How long the cache remembers that something does not exist, in milliseconds."""


@dataclass(frozen=True, slots=True)
class SharedLoaders:
    """The read-through caches that all requests of a process share. They hold no data of a single request."""

    counts: ReadThrough[EntityRef, Counts]
    entities: ReadThrough[EntityKey, EntityRow | None]
    entities_by_id: ReadThrough[EntityRef, EntityRow | None]
    notifications: ReadThrough[int, Newest]
    posts: ReadThrough[int, PostRow | None]
    comments: ReadThrough[int, CommentRow | None]
    hidden_comments: ReadThrough[int, tuple[Hidden, ...]]
    comment_settings: ReadThrough[SubjectKey, CommentSettings]
    pinned_posts: ReadThrough[int, PinnedPosts]
    topics: ReadThrough[str, str | None]
    users: ReadThrough[int, UserRow | None]
    handles: ReadThrough[str, int | None]
    authors: AuthorMemory
    commented: CommentedEntities
    hints: AllHints
    big_accounts: BigAccounts
    identities: ReadThrough[Identity, int | None]
    signed_in: LRUCache[Identity, int]
    """The ids of users that this process has identified. An identity belongs to one user forever, so entries are always
    correct.
    """


def shared_loaders(state: State) -> SharedLoaders:
    """Makes the read-through caches of a process."""
    cache, postgres, authors = state.cache, state.postgres, AuthorMemory()
    return SharedLoaders(
        counts=ReadThrough(cache, _counts(state)),
        entities=ReadThrough(cache, _entities(state)),
        entities_by_id=ReadThrough(cache, _entities_by_id(state)),
        notifications=ReadThrough(cache, _notifications(postgres)),
        posts=ReadThrough(cache, _posts(state)),
        comments=ReadThrough(cache, _comments(state)),
        hidden_comments=ReadThrough(cache, _hidden_comments(postgres)),
        comment_settings=ReadThrough(cache, _comment_settings(postgres)),
        pinned_posts=ReadThrough(cache, _pinned_posts(postgres)),
        topics=ReadThrough(cache, _topics(postgres)),
        users=ReadThrough(cache, _users(postgres)),
        handles=ReadThrough(cache, _handles(postgres, state.settings.people.handle_hold)),
        authors=authors,
        commented=CommentedEntities(),
        hints=AllHints(),
        big_accounts=BigAccounts(state, authors),
        identities=ReadThrough(cache, _identities(postgres)),
        signed_in=LRUCache(100_000),
    )


def _counts(state: State) -> Kind[EntityRef, Counts]:
    return Kind(
        name="counts",
        key=counts.cache_key,
        decode=counts.decode,
        encode=counts.encode,
        truth=lambda refs: counts.read(state.postgres, refs),
        absent=Counts(0, {}),
        life_ms=lambda ref, _: state.counts_life_ms(ref.business_id),
        local=True,
    )


def _entities(state: State) -> Kind[EntityKey, EntityRow | None]:
    return Kind(
        name="entities",
        key=entities.key_of,
        decode=entities.decode,
        encode=entities.encode,
        truth=state.entities.by_key,
        absent=None,
        life_ms=lambda key, entity: state.document_life_ms(key[0]) if entity else NEGATIVE_MS,
        local=True,
    )


def _entities_by_id(state: State) -> Kind[EntityRef, EntityRow | None]:
    return Kind(
        name="entities_by_id",
        key=entities.id_key,
        decode=entities.decode,
        encode=entities.encode,
        truth=state.entities.by_id,
        absent=None,
        life_ms=lambda ref, entity: state.document_life_ms(ref.business_id) if entity else NEGATIVE_MS,
        local=True,
    )


def _notifications(postgres: Postgres) -> Kind[int, Newest]:
    return Kind(
        name="notifications",
        key=notifications.cache_key,
        decode=notifications.decode,
        encode=notifications.encode,
        truth=lambda ids: notifications.newest(postgres, ids),
        absent=NOTHING,
        life_ms=lambda *_: notifications.LIFE_MS,
    )


def _posts(state: State) -> Kind[int, PostRow | None]:
    return Kind(
        name="posts",
        key=posts.cache_key,
        decode=posts.decode,
        encode=posts.encode,
        truth=lambda ids: posts.by_id(state.postgres, ids),
        absent=None,
        life_ms=lambda _, post: state.document_life_ms(POSTS) if post else NEGATIVE_MS,
        local=True,
    )


def _comments(state: State) -> Kind[int, CommentRow | None]:
    return Kind(
        name="comments",
        key=comments.cache_key,
        decode=comments.decode,
        encode=comments.encode,
        truth=lambda ids: comments.by_id(state.postgres, ids),
        absent=None,
        life_ms=lambda _, comment: state.document_life_ms(COMMENTS) if comment else NEGATIVE_MS,
        local=True,
    )


def _hidden_comments(postgres: Postgres) -> Kind[int, tuple[Hidden, ...]]:
    return Kind(
        name="hidden_comments",
        key=comments.hidden_key,
        decode=comments.decode_hidden,
        encode=comments.encode_hidden,
        truth=lambda authors: comments.hidden(postgres, authors),
        absent=(),
        life_ms=lambda _, __: comments.LIFE_MS,
    )


def _comment_settings(postgres: Postgres) -> Kind[SubjectKey, CommentSettings]:
    return Kind(
        name="comment_settings",
        key=comment_settings.cache_key,
        decode=comment_settings.decode,
        encode=comment_settings.encode,
        truth=lambda subjects: comment_settings.by_subject(postgres, subjects),
        absent=comment_settings.DEFAULT,
        life_ms=lambda _, __: comment_settings.LIFE_MS,
        local=True,
    )


def _pinned_posts(postgres: Postgres) -> Kind[int, PinnedPosts]:
    return Kind(
        name="pinned_posts",
        key=pinned_posts.cache_key,
        decode=pinned_posts.decode,
        encode=pinned_posts.encode,
        truth=lambda users: pinned_posts.by_user(postgres, users),
        absent=pinned_posts.NONE,
        life_ms=lambda _, __: pinned_posts.LIFE_MS,
        local=True,
    )


def _topics(postgres: Postgres) -> Kind[str, str | None]:
    return Kind(
        name="topics",
        key=topics.cache_key,
        decode=topics.decode,
        encode=topics.encode,
        truth=lambda keys: topics.names(postgres, keys),
        absent=None,
        life_ms=lambda _, name: topics.LIFE_MS if name else NEGATIVE_MS,
        local=True,
    )


def _users(postgres: Postgres) -> Kind[int, UserRow | None]:
    return Kind(
        name="users",
        key=users.cache_key,
        decode=users.decode,
        encode=users.encode,
        truth=lambda ids: users.by_id(postgres, ids),
        absent=None,
        life_ms=lambda _, user: 7 * _DAY_MS if user else NEGATIVE_MS,
        local=True,
    )


def _handles(postgres: Postgres, hold: float) -> Kind[str, int | None]:
    return Kind(
        name="handles",
        key=users.handle_key,
        decode=users.decode_id,
        encode=users.encode_id,
        truth=lambda handles: users.by_handle(postgres, handles, hold),
        absent=None,
        life_ms=lambda _, user_id: _DAY_MS if user_id else NEGATIVE_MS,
        local=True,
    )


def _identities(postgres: Postgres) -> Kind[Identity, int | None]:
    return Kind(
        name="identities",
        key=users.identity_key,
        decode=users.decode_id,
        encode=users.encode_id,
        truth=lambda identities: users.by_identity(postgres, identities),
        absent=None,
        life_ms=lambda _, user_id: 7 * _DAY_MS if user_id else NEGATIVE_MS,
    )
