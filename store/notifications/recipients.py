"""Leaves out notification events that their recipients may not see (by the rules of `domain/visibility.py`) or do not
want.

Requests apply the same rules again when a notification is read (loaders/notifications.py).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.visibility import Facts
from models.comments import CommentRow
from models.counters import EntityRef
from models.notifications import OF_POSTS, OWN_KINDS, NotificationKind, is_judged
from models.posts import PostRow
from models.users import UserRow
from settings import COMMENTS, FIRST_EXTERNAL, POSTS
from store.content import comment_rows, post_rows
from store.notifications import muted_threads
from store.notifications.muted_threads import Notice
from store.postgres.client import Postgres, Reader
from store.postgres.columns import columns

_OWN = frozenset(map(int, OWN_KINDS))
_MODERATION = int(NotificationKind.MODERATION)
_OF_POSTS = frozenset(map(int, OF_POSTS))
_PAIRS = text("""
    SELECT n.user_id, n.other_id, coalesce(b.stands, false) OR coalesce(y.stands, false) AS blocked,
           coalesce(m.until_ms > extract(epoch FROM clock_timestamp()) * 1000, false) AS muted,
           f.followee_id IS NOT NULL AS followed, p.unwanted, p.only_followed
    FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[])) AS n(user_id, other_id)
    LEFT JOIN blocks b ON b.user_id = n.user_id AND b.blocked_id = n.other_id
    LEFT JOIN blocked_by y ON y.user_id = n.user_id AND y.blocker_id = n.other_id
    LEFT JOIN mutes m ON m.user_id = n.user_id AND m.muted_id = n.other_id
    LEFT JOIN following f ON f.user_id = n.user_id AND f.followee_id = n.other_id
    LEFT JOIN notification_preferences p ON p.user_id = n.user_id
    WHERE b.stands OR y.stands OR m.until_ms > extract(epoch FROM clock_timestamp()) * 1000
       OR f.followee_id IS NOT NULL OR p.unwanted IS NOT NULL
""")
_PROFILES = text("""
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms, user_id, handle, display_name, avatar_url,
           bio, version, is_private, suspended, suspended_until_ms, suspension_reason, custom, deletion, deletion_mode
    FROM users
    WHERE user_id = ANY(CAST(:users AS bigint[]))
      AND (is_private OR suspended IS NOT NULL OR deletion IS NOT NULL)
""")
_ENTITIES = text("""
    SELECT business_id, entity_id, e.removed, e.erased, e.labels | e.moderator_labels AS labels
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS n(business_id, entity_id)
    JOIN entities e USING (business_id, entity_id)
    WHERE e.removed OR e.labels | e.moderator_labels <> 0
""")


class Contents(NamedTuple):
    """The comments and posts that events are about, by id, as they are now; and the removed and the labeled entities. A
    missing comment or post was erased.
    """

    comments: Mapping[int, CommentRow]
    posts: Mapping[int, PostRow]
    removed: Collection[EntityRef]
    """The entities that were removed."""
    erased: Collection[EntityRef]
    """The entities that are being erased or were erased."""
    labeled: Mapping[EntityRef, int]
    """The labels of those entities that have some, as bits (domain/labels.py)."""

    def row(self, notice: Notice) -> CommentRow | PostRow | None:
        """Returns the post or comment that an event is about; None if it was erased."""
        return self.of(EntityRef(notice[2], notice[3]))

    def of(self, ref: EntityRef) -> CommentRow | PostRow | None:
        """Returns a post or comment; None if it was erased."""
        return self.comments.get(ref.entity_id) if ref.business_id == COMMENTS else self.posts.get(ref.entity_id)


class _Pair(NamedTuple):
    """The facts that decide whether a recipient is notified of another user's actions: whether one of the two blocks
    the other, whether the recipient mutes or follows the other, and which kinds of notifications the recipient does not
    want, or wants only from followed users.
    """

    blocked: bool = False
    muted: bool = False
    followed: bool = False
    unwanted: Sequence[int] | None = None
    """The kinds of notifications that the recipient does not want."""
    only_followed: Sequence[int] | None = None
    """The kinds of notifications that the recipient wants only from followed users."""


_STRANGERS = _Pair()


class _People(NamedTuple):
    """The relations between recipients and the other users of events, and the ids of those of them who are private,
    hidden by a suspension or a deletion, and deleted.
    """

    pairs: Mapping[tuple[int, int], _Pair]
    private: Collection[int]
    hidden: Collection[int]
    deleted: Collection[int]

    def pair(self, user_id: int, other_id: int) -> _Pair:
        return self.pairs.get((user_id, other_id), _STRANGERS)

    def facts(self, user_id: int, other_id: int) -> Facts:
        pair = self.pair(user_id, other_id)
        return Facts(pair.blocked, other_id in self.hidden, other_id in self.private, pair.followed)


async def shown(source: Reader, notices: Sequence[Notice]) -> list[Notice]:
    """Returns those of the given events that their recipients may see and want.

    Leaves out an event if

    - the recipient's account is deleted, or the recipient does not want its kind (or wants it only from followed users
      and does not follow the actor) or mutes the actor,
    - the actor is hidden from the recipient; for a like, also if the actor's likes are hidden from the recipient,
    - the recipient may not see the mentioning post or comment, or the comment that was liked or answered,
    - the entity that it is about is being erased or was erased.

    Moderation decisions and decided reports are about the recipient's own content and reports: they are never hidden,
    and moderation decisions are always wanted.
    """
    contents, people = await _read(source, notices)
    return [one for one in notices if _is_wanted(one, people) and _is_shown(one, contents, people)]


async def still_shown(postgres: Postgres, notices: Sequence[Notice]) -> tuple[list[Notice], Contents]:
    """Returns the events of stored notifications that their recipients may see now, and the posts and comments that
    were read to decide this.

    Leaves out events that are hidden, and events in threads that the recipient mutes. Keeps kinds that the recipient
    does not want any more: notifications that a user has stay.
    """
    contents, people = await _read(postgres, notices)
    seen = [(one, _threads(one)) for one in notices if _is_shown(one, contents, people)]
    return await muted_threads.wanted(postgres, seen), contents


def of_notification(kind: int, user_id: int, business_id: int, entity_id: int, actors: Sequence[int]) -> list[Notice]:
    """Returns the events of a stored notification: one for each of its actors, or one without an actor if there are
    none.
    """
    return [(kind, user_id, business_id, entity_id, actor, 0, None, 0) for actor in actors or (0,)]


def _threads(notice: Notice) -> muted_threads.Threads | None:
    kind, _, *ref = notice[:4]
    return () if kind in _OWN else None if ref[0] == COMMENTS else (EntityRef(*ref),)


async def _read(source: Reader, notices: Sequence[Notice]) -> tuple[Contents, _People]:
    asked = [notice for notice in notices if notice[0] != _MODERATION]
    contents = await _contents(source, asked)
    return contents, await _people(source, asked, contents, {notice[1] for notice in notices})


async def _contents(source: Reader, notices: Collection[Notice]) -> Contents:
    refs = {EntityRef(notice[2], notice[3]) for notice in notices if is_judged(notice[0], notice[2])}
    ids = sorted(ref.entity_id for ref in refs if ref.business_id == COMMENTS)
    comments = await comment_rows.read(source, ids) if ids else {}
    post_ids = {ref.entity_id for ref in refs if ref.business_id == POSTS}
    post_ids |= {row.post_id for row in comments.values() if row.post_id}
    posts = await post_rows.read(source, sorted(post_ids)) if post_ids else {}
    about = {EntityRef(notice[2], notice[3]) for notice in notices if notice[2] >= FIRST_EXTERNAL}
    entities = sorted(about | {row.subject for row in comments.values() if not row.post_id})
    rows = await source.read(_ENTITIES, **columns(entities, "businesses", "entities")) if entities else ()
    found = {EntityRef(row.business_id, row.entity_id): row for row in rows}
    removed, erased = ({ref for ref, row in found.items() if getattr(row, name)} for name in ("removed", "erased"))
    return Contents(comments, posts, removed, erased, {ref: row.labels for ref, row in found.items() if row.labels})


async def _people(
    source: Reader, notices: Iterable[Notice], contents: Contents, recipients: Collection[int]
) -> _People:
    """Reads the relations between the recipients and the other users of `notices`, and the profiles of all of them.
    `recipients` also has the recipients of moderation decisions, which name no other user.
    """
    pairs = {(notice[1], notice[4]) for notice in notices}
    for notice in notices:
        if is_judged(notice[0], notice[2]):
            pairs |= {(notice[1], author) for author in _authors(notice, contents)}
    found = await source.read(_PAIRS, **columns(sorted(pairs), "users", "others")) if pairs else ()
    rows = await source.read(_PROFILES, users=sorted({*recipients, *(user for pair in pairs for user in pair)}))
    profiles = [(now_ms, UserRow(*columns_)) for now_ms, *columns_ in rows]
    private = {row.user_id for _, row in profiles if row.is_private}
    hidden = {row.user_id for now_ms, row in profiles if row.is_hidden(now_ms)}
    deleted = {row.user_id for _, row in profiles if row.deletion is not None}
    return _People({(user, other): _Pair(*facts) for user, other, *facts in found}, private, hidden, deleted)


def _authors(notice: Notice, contents: Contents) -> Iterable[int]:
    """Yields the id of the author of the post or comment that an event is about; for a comment on a post, also the id
    of the post's author. Erased posts and comments are left out.
    """
    row: CommentRow | PostRow | None = contents.row(notice)
    if row:
        yield row.author_id
    if isinstance(row, CommentRow) and (post := contents.posts.get(row.post_id or 0)):
        yield post.author_id


def _is_wanted(notice: Notice, people: _People) -> bool:
    kind, user_id, _, _, actor_id, *_ = notice
    if user_id in people.deleted:
        return False
    if kind == _MODERATION:
        return True
    pair = people.pair(user_id, actor_id)
    return kind not in (pair.unwanted or ()) and (pair.followed or kind not in (pair.only_followed or ()))


def _is_shown(notice: Notice, contents: Contents, people: _People) -> bool:
    kind, user_id, business_id, entity_id, actor_id, *_ = notice
    if kind in _OWN:
        return True
    if (business_id, entity_id) in contents.erased:
        return False
    pair, facts = people.pair(user_id, actor_id), people.facts(user_id, actor_id)
    if pair.muted or (facts.hides_posts if kind in _OF_POSTS else facts.hides_user):
        return False
    row = contents.row(notice) if is_judged(kind, business_id) else None
    if isinstance(row, CommentRow):
        if row.subject in contents.removed or not _shows(row, user_id, people):
            return False
        row = contents.posts.get(row.post_id or 0)
    return row is None or _shows(row, user_id, people)


def _shows(row: CommentRow | PostRow, user_id: int, people: _People) -> bool:
    """Returns whether a user may see a post or comment. For a comment, does not check the post that it is on."""
    if row.author_id == user_id:
        return not row.deleted
    facts = people.facts(user_id, row.author_id)
    return row.is_public and not (facts.hides_posts if isinstance(row, PostRow) else facts.hides_user)
