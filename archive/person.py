"""Makes the records of an export of one user, who is called the person: everything that Plaudit keeps about the person.

The export leaves out what is about other users, or what the person may not see: the followers of the person, users who
block the person or caused a notification, texts of other users, reports by other users and the decisions about these
reports, the names of moderators, and a suspension in the mode SHADOW.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from archive import person_rows
from archive import rows as made
from archive.fields import IssuedUser, Json
from archive.personal import Account, Contact, End, LabelPreference
from archive.references import Lookup, References, identity_of
from domain import muted_words
from domain.ids import UserId
from domain.moderation.statements import Restriction
from domain.quiet_hours import text_of
from domain.versions import moment_ms
from models.base import at
from models.counters import EntityRef
from models.notifications import NotificationKind
from models.preferences import Preference, label_choices
from models.users import SuspensionMode, UserRow
from settings import COLLECTIONS
from state import State
from store.archive import lookups
from store.archive import person as sources
from store.archive.pages import Source, pages
from store.content import comment_settings, comments, posts
from store.moderation import saved_queues
from store.notifications import preferences
from store.people import users
from store.postgres.client import Rows

Records = Sequence[Json | None]
RecordsOf = Callable[[Rows], Awaitable[Records]]
"""A function that makes the records of a page of rows."""


_CLIENT = 3
"""The number of columns at the end of a row of a post or comment that say which client has sent it: network address,
device and client name.
"""

_OUTCOMES = Restriction.REPORT_DISMISSED, Restriction.REPORT_ACCEPTED


class NoPerson(Exception):
    """Raised if there is no user with the given id."""


class Person:
    """Makes the records of the user with the id `user_id`."""

    def __init__(self, state: State, user_id: int) -> None:
        self._state, self._postgres, self._user_id = state, state.postgres, user_id
        self._lookup = Lookup(state)
        self._named: set[int] = set()
        """The ids of the users for whom a record `contact` was made. The limits on follows, blocks and mutes of the
        person also limit their number.
        """
        self._read_moment = 0
        """The moment up to which the person has read notifications."""
        self._counters = {one.id: one.name for business in state.businesses.values() for one in business.counters}

    async def pages(self) -> AsyncGenerator[list[Json]]:
        """Yields all records, page by page, and at last the record `end`. Pages may be empty. Raises PostgresDown, and
        NoPerson instead of the first page.
        """
        count = 0
        async for page in self._pages():
            records = [record for record in page if record]
            count += len(records)
            yield records
        yield [End(kind="end", records=count)]

    async def _pages(self) -> AsyncIterator[Records]:
        yield await self._account()
        self._read_moment = await sources.read_mark(self._postgres, self._user_id)
        common = {"user": self._user_id, "now": self._state.now_ms(), "actions": list(person_rows.SEEN_ACTIONS)}
        for source, records_of in self._parts():
            async for rows in pages(self._postgres, source, **common):
                yield await records_of(rows)

    def _parts(self) -> list[tuple[Source, RecordsOf]]:
        return [
            (sources.FOLLOWING, self._follows),
            (sources.REQUESTED, self._requests),
            (sources.CONTENT_FOLLOWS, self._about(made.content_follow)),
            (sources.BLOCKS, self._blocks),
            (sources.MUTES, self._mutes),
            (sources.BELLS, self._bells),
            (sources.MUTED_THREADS, self._about(person_rows.muted_thread)),
            (sources.HIDDEN_POSTS, self._about(person_rows.hidden_post)),
            (sources.COLLECTIONS, self._alone(made.collection)),
            (sources.SAVES, self._about(made.save)),
            (sources.REACTIONS, self._about(made.reaction)),
            (sources.REPOSTS, self._about(made.repost)),
            (sources.OUTBOX, self._posts),
            (sources.COMMENTS, self._comments),
            (sources.EDITS, self._about(person_rows.edit)),
            (sources.NOTIFICATIONS, self._notifications),
            (sources.REPORTS, self._about(person_rows.report)),
            (sources.APPEALS, self._about(person_rows.appeal)),
            (sources.DECISIONS, self._about(person_rows.decision)),
            (sources.STATEMENTS, self._about(person_rows.statement)),
            (sources.LIKE_LOG, self._about(person_rows.like)),
            (sources.FOLLOW_LOG, self._alone(person_rows.follow)),
            (sources.RECORDS, self._actions),
        ]

    async def _account(self) -> Records:
        """Returns the records of the account, the profile and the muted words. Raises NoPerson if there is no such
        user.
        """
        row = (await users.by_id(self._postgres, [self._user_id])).get(self._user_id)
        if row is None:
            raise NoPerson
        found = await sources.identities(self._postgres, self._user_id)
        unwanted, only = await preferences.unwanted(self._postgres, self._user_id)
        quiet = (await preferences.quiet_hours(self._postgres, [self._user_id])).get(self._user_id)
        chosen = await sources.preferences(self._postgres, self._user_id)
        queues = await saved_queues.of_user(self._postgres, self._user_id)
        account = Account(
            kind="account",
            user=UserId.text(self._user_id),
            identities=tuple(IssuedUser(issuer=issuer, external_id=subject) for issuer, subject in found),
            unwanted_notifications=tuple(kind.name for kind in NotificationKind if kind in unwanted),
            notifications_only_of_followed=tuple(kind.name for kind in NotificationKind if kind in only),
            quiet_hours=quiet and f"{text_of(quiet.begin)} to {text_of(quiet.end)} {quiet.zone}",
            topics_in_home=Preference.TOPICS_IN_HOME in chosen,
            discoverable=Preference.HIDDEN_FROM_SEARCH not in chosen,
            label_preferences=self._label_preferences(chosen),
            saved_queues=tuple(map(person_rows.saved_queue, queues)),
        )
        identity = identity_of(self._user_id, {self._user_id: found[0]} if found else {})
        former = await lookups.former_handles(self._postgres, [self._user_id])
        now_ms = self._state.now_ms()
        words = muted_words.loads(await sources.muted_words(self._postgres, self._user_id))
        muted = [person_rows.muted_word(word) for word in words if word.is_muted(now_ms)]
        return [account, made.user(_as_seen(row), *identity, "", former, now_ms), *muted]

    def _label_preferences(self, chosen: Collection[int]) -> tuple[LabelPreference, ...]:
        """Returns what the person has chosen to see of configured labels. `chosen` are the person's preferences."""
        choices = label_choices(chosen)
        return tuple(
            LabelPreference(label=label.name, visibility=one.visibility.name)  # type: ignore[arg-type]
            for label in self._state.labels.all
            for one in sorted(choices)
            if one.label == label.id
        )

    async def _contacts(self, ids: Sequence[int], without: Collection[int] = ()) -> list[Contact]:
        """Returns a record `contact` for each of the users `ids`. Leaves out users for whom an earlier call has
        returned a record, users in `without`, and users whom a suspension hides.
        """
        new = [id_ for id_ in ids if id_ not in self._named and id_ not in without]
        self._named.update(new)
        found, now_ms = await users.by_id(self._postgres, new), self._state.now_ms()
        rows = [row for id_ in new if (row := found.get(id_)) and not row.is_hidden(now_ms)]
        return [
            Contact(kind="contact", user=row.global_id, handle=row.handle, display_name=row.display_name)
            for row in rows
        ]

    async def _blockers(self, ids: Sequence[int]) -> set[int]:
        return await sources.blockers_among(self._postgres, self._user_id, ids)

    async def _follows(self, rows: Rows, *, requested: bool = False) -> Records:
        ids = [row.followee_id for row in rows]
        contacts, refs = await self._contacts(ids, await self._blockers(ids)), await self._lookup.of()
        follows = [
            made.follow(self._user_id, row.followee_id, at(moment_ms(row.moment)), refs, requested=requested)
            for row in rows
        ]
        return [*contacts, *follows]

    async def _requests(self, rows: Rows) -> Records:
        return await self._follows(rows, requested=True)

    async def _blocks(self, rows: Rows) -> Records:
        """Returns the blocks with the names of the blocked users. Some of these users also block the person. Their
        names are not left out: otherwise a missing name would tell the person about such a block.
        """
        refs = await self._lookup.of()
        contacts = await self._contacts([row.blocked_id for row in rows])
        return [*contacts, *[made.block(self._user_id, row, refs) for row in rows]]

    async def _mutes(self, rows: Rows) -> Records:
        """Returns the mutes, except those of users who block the person. `Viewer.mutes` leaves out the same users."""
        refs, blockers = await self._lookup.of(), await self._blockers([row.muted_id for row in rows])
        kept = [row for row in rows if row.muted_id not in blockers]
        contacts = await self._contacts([row.muted_id for row in kept])
        return [*contacts, *[made.mute(self._user_id, row, refs) for row in kept]]

    async def _bells(self, rows: Rows) -> Records:
        """Returns the authors about whose posts the person is notified, without those who block the person."""
        refs, blockers = await self._lookup.of(), await self._blockers([row.author_id for row in rows])
        kept = [row for row in rows if row.author_id not in blockers]
        contacts = await self._contacts([row.author_id for row in kept])
        return [*contacts, *[person_rows.post_notifications(row, refs) for row in kept]]

    def _about(self, record_of: Callable[[Any, References], Json | None]) -> RecordsOf:
        """Returns the function that makes records of rows that are about posts, comments, entities or users."""

        async def records_of(rows: Rows) -> Records:
            about = {EntityRef(row.business_id, row.entity_id): row for row in rows}
            refs = await self._lookup.of(refs=about.keys(), owners=await self._owners(about))
            return [record_of(row, refs) for row in rows]

        return records_of

    async def _owners(self, about: Mapping[EntityRef, Any]) -> dict[EntityRef, int]:
        """Returns the owners of the collections among these objects, each given with a row about it. Leaves out a
        collection that the person had reported, if the report is not stored any more.
        """
        rows = {ref: row for ref, row in about.items() if ref.business_id == COLLECTIONS}
        ids = [ref.entity_id for ref in rows]
        reported = await sources.owners_of_reported(self._postgres, self._user_id, ids) if rows else {}
        own = {ref: self._user_id for ref, row in rows.items() if _is_own(row)}
        return own | {ref: reported[ref.entity_id] for ref in rows if ref.entity_id in reported}

    def _alone(self, record_of: Callable[[Any, References], Json | None]) -> RecordsOf:
        """Returns the function that makes records of rows that refer only to users."""

        async def records_of(rows: Rows) -> Records:
            refs = await self._lookup.of()
            return [record_of(row, refs) for row in rows]

        return records_of

    async def _posts(self, outbox: Rows) -> Records:
        """Returns the posts, and for each post a record of the client that sent it. A deleted post has its text if
        retention has not removed the text yet.
        """
        rows = await sources.posts_by_id(self._postgres, [row.post_id for row in outbox])
        found = [posts.from_columns(row[:-_CLIENT]) for row in rows]
        refs = await self._lookup.of(refs={row.about for row in found if row.about})
        pins = await lookups.pins(self._postgres, [(row.author_id, row.post_id) for row in found])
        settings = await comment_settings.by_subject(self._postgres, [row.subject_key for row in found])
        records: list[Json | None] = []
        for row, columns in zip(found, rows, strict=True):
            records.append(made.post(row, refs, pins.get(row.post_id), settings.get(row.subject_key), whole=True))
            records.append(person_rows.sent("post", refs.target(row.ref), columns, at(moment_ms(row.moment))))
        return records

    async def _comments(self, rows: Rows) -> Records:
        """Returns the comments, and for each comment a record of the client that sent it. A deleted comment has its
        text if retention has not removed the text yet.
        """
        found = [comments.from_columns(row[: -_CLIENT - 1]) for row in rows]
        refs = await self._lookup.of(refs={ref for row in found for ref in (row.ref, row.subject)})
        keys = [made.settings_key(row.subject, refs.keys) for row in found]
        settings = await comment_settings.by_subject(self._postgres, sorted({*keys}))
        records: list[Json | None] = []
        for row, columns, key in zip(found, rows, keys, strict=True):
            records.append(made.comment(row, columns.deleted_as, refs, settings.get(key), whole=True))
            records.append(person_rows.sent("comment", refs.target(row.ref), columns, at(moment_ms(row.moment))))
        return records

    async def _notifications(self, rows: Rows) -> Records:
        about = {EntityRef(row.business_id, row.entity_id): row for row in rows}
        refs = await self._lookup.of(refs=about.keys(), owners=await self._owners(about))
        return [person_rows.notification(row, refs, self._read_moment) for row in rows]

    async def _actions(self, rows: Rows) -> Records:
        refs = await self._lookup.of(refs={EntityRef(row.business_id, row.entity_id) for row in rows})
        return [person_rows.action(row, refs, self._counters) for row in rows]


def _is_own(row: Any) -> bool:
    """Returns whether a row about a collection is about one of the person, and not about a report of the person."""
    is_report = hasattr(row, "author_id") or getattr(row, "kind", None) == NotificationKind.REPORT
    return not is_report and getattr(row, "restriction", None) not in _OUTCOMES


def _as_seen(row: UserRow) -> UserRow:
    """Returns a profile as its user sees it: without a suspension in the mode SHADOW."""
    return replace(row, suspended=None) if row.suspended == SuspensionMode.SHADOW else row
