"""Checks that everything authors wrote is stored once, in its last version, and that notifications were delivered."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import text

from models.counters import CounterKind
from models.notifications import NotificationKind
from settings import POSTS
from state import State
from tests.failures.faults.authors import Library, Tally, Written
from workers.reconcile.run import ReconcileRun

_POSTS = text("SELECT post_id, author_id, text, deleted FROM posts WHERE author_id = ANY(:users)")
_COMMENTS = text("SELECT comment_id, author_id, text, deleted FROM comment_contents WHERE author_id = ANY(:users)")
_FLOORS = text("""
    SELECT subject_business, subject_id, floors FROM (
        SELECT subject_business, subject_id, array_agg(floor ORDER BY floor) AS floors FROM comment_contents
        WHERE author_id = ANY(:users)
          AND (floor IS NOT NULL OR NOT deleted)  -- a comment that is deleted before its approval has none
        GROUP BY subject_business, subject_id
    ) AS s WHERE floors <> ARRAY(SELECT generate_series(1, cardinality(floors)))
""")
_FOLLOWERS = text("SELECT follower_id, user_id FROM followers WHERE follower_id = ANY(:users)")
_NOTIFIED = text(f"""
    SELECT user_id, entity_id, max(actor_count) AS fewest, sum(actor_count) AS most FROM notifications
    WHERE user_id = ANY(:users) AND kind = {NotificationKind.COMMENT:d} AND business_id = {POSTS}
    GROUP BY user_id, entity_id
""")  # noqa: S608 - constants
_OPENS = 103
"""The counter of posts in tests/businesses.toml."""
_RECORDED = text(f"""
    SELECT kind, entity_id, value FROM counters
    WHERE business_id = {POSTS} AND kind IN ({CounterKind.VIEWS:d}, {CounterKind.SHARES:d}, {_OPENS})
      AND entity_id = ANY(:posts)
""")  # noqa: S608 - constants
_KINDS = {"recordViews": CounterKind.VIEWS, "recordShares": CounterKind.SHARES, "recordActions": _OPENS}


async def content_violations(stores: State, users: Sequence[int], library: Library) -> list[str]:
    """Returns a sentence for each difference between rows and acknowledgements, and for each drift."""
    read = stores.postgres.read
    posts = [one for one in library.written if not one.subject]
    comments = [one for one in library.written if one.subject]
    rows = await read(_POSTS, users=users)
    authors = {row.post_id: row.author_id for row in rows}
    found = [
        *_wrong_texts(posts, rows),
        *_wrong_texts(comments, await read(_COMMENTS, users=users)),
        *(f"floors of {business}:{id_} are {floors}" for business, id_, floors in await read(_FLOORS, users=users)),
        *_wrong_follows(library.follows, {(follower, user) for follower, user in await read(_FOLLOWERS, users=users)}),
        *_miscounted(library.records, await read(_RECORDED, posts=list(authors))),
        *_wrong_notifications(
            authors,
            comments,
            {(row.user_id, row.entity_id): (row.fewest, row.most) for row in await read(_NOTIFIED, users=users)},
        ),
    ]
    totals = await ReconcileRun().execute(stores)
    return found + [f"{total.drifting} {kind} drift" for kind, total in totals.items() if total.drifting]


def _wrong_texts(written: Iterable[Written], rows: Iterable[Any]) -> Iterable[str]:
    """Compares posts or comments with their rows. A row belongs to the name that its text begins with."""
    by_name: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        by_name[row.text.partition(" ")[0]].append(row)
    for one in written:
        there = by_name.pop(one.name, [])
        if len(there) > 1 or (one.acknowledged and not there):
            yield f"{one.name} is stored {len(there)} times"
        for id_, _, found, deleted in there:
            if one.id and number(one.id) != id_:
                yield f"{one.name} is {id_} but its author received the id {one.id}"
            if found not in one.texts or one.deleted not in (None, deleted):
                yield f"{one.name} says {found!r} (deleted: {deleted}) instead of {one.texts} (deleted: {one.deleted})"
    for name, there in by_name.items():
        yield f"no author wrote {name}, which is stored {len(there)} times"


def _wrong_follows(follows: dict[tuple[int, int], set[bool]], rows: set[tuple[int, int]]) -> Iterable[str]:
    for pair, possible in follows.items():
        if (pair in rows) not in possible:
            yield f"{pair[0]} follows {pair[1]}: {pair in rows} instead of {possible}"


def _miscounted(records: Mapping[tuple[str, str], Tally], rows: Iterable[Any]) -> Iterable[str]:
    """Checks counts: views once per viewer and hour, others once per request. Repeated requests may count."""
    counted = {(kind, post): value for kind, post, value in rows}
    for (verb, post), tally in records.items():
        least = len(set(tally.by) if verb == "recordViews" else tally.by)
        count = counted.get((_KINDS[verb], number(post)), 0)
        if not least <= count <= tally.requests:
            yield f"{post} has {count} by {verb}, of {least} to {tally.requests}"


def _wrong_notifications(
    authors: Mapping[int, int], comments: Iterable[Written], notified: Mapping[tuple[int, int], tuple[int, int]]
) -> Iterable[str]:
    """Checks that authors have one notification for each commenter on their posts. `notified` has the fewest and the
    most commenters that an author can have been notified of: each half day has a group of its own.
    """
    certain: dict[tuple[int, int], set[int]] = defaultdict(set)
    possible: dict[tuple[int, int], set[int]] = defaultdict(set)
    for comment in comments:
        assert comment.subject
        subject = number(comment.subject)
        if subject not in authors:  # a lost post, which is reported elsewhere
            continue
        place = authors[subject], subject
        possible[place].add(comment.author_id)
        if comment.stays:
            certain[place].add(comment.author_id)
    for place, (fewest, most) in notified.items():
        if most < len(certain[place]) or fewest > len(possible[place]):
            found = f"{place} was notified of {fewest} to {most} commenters"
            yield f"{found}, instead of {certain[place]} to {possible[place]}"
    for place in certain.keys() - notified.keys():
        yield f"{place} was not notified of the commenters {certain[place]}"


def number(global_id: str) -> int:
    """Returns the numeric part of a global id."""
    return int(re.split("[:.]", global_id)[-1])
