"""Applies events to posts and comments alike: computes the new rows, runs the moderation rules on changed content, and
notifies users.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from domain.labels import Labels
from domain.moderation.reports import HIDDEN_BY_REPORTS, CaseSource
from domain.moderation.verdicts import AuditStatus, LabelVerdict
from domain.text_tokens import mentions
from models.counters import EntityRef
from projections import moderation_log
from projections.batch import Batch, Row, RowChange
from projections.content_events import ContentChanged, ContentEvent, LabelsSet, ModerationDecided
from projections.moderation import ModerationPass
from projections.statements import with_title
from settings import POSTS
from store.content import edits, search
from store.content.uploaded_files import keys_of, remember
from store.notifications.untold import MENTION
from store.people import held_handles
from store.postgres.client import Transaction
from store.uploads import Key
from store.write_log import claims


async def release_files(batch: Batch, changes: Iterable[RowChange[Row]]) -> None:
    """Stores which uploaded files these changes have removed from posts or comments, so that workers delete those that
    nothing else shows. Does nothing if users upload no files.
    """
    if uploads := batch.state.uploads:
        gone: set[Key] = set()
        for change in changes:
            if change.before and change.before.images != change.after.images:
                gone |= keys_of(uploads, change.before.images) - keys_of(uploads, change.after.images)
        if gone:
            await remember(batch.transaction, gone, batch.state.now_ms())


async def keep_replaced(transaction: Transaction, changes: Iterable[RowChange[Row]]) -> None:
    """Stores the earlier versions of the posts or comments that these changes edit."""
    await edits.keep(transaction, [one for change in changes for one in change.replaced])


async def claimed(batch: Batch, events: Iterable[ContentEvent]) -> set[EntityRef]:
    """Claims the idempotency keys of the new posts or comments among these events. Returns the posts or comments that
    own their keys. Others have a key that an earlier one owns, and must not be stored.
    """
    changes = [event for event in events if isinstance(event, ContentChanged)]
    return await claims.claim(batch.transaction, [event.claim for event in changes if event.claim])


def apply_changes(
    batch: Batch,
    events: Sequence[ContentEvent],
    rows: Mapping[int, Row],
    claimed: set[EntityRef],
    moderation: ModerationPass,
) -> dict[int, RowChange[Row]]:
    """Applies events to posts or comments, and runs the moderation rules on changed content. Returns the changes by id.
    Adds them to the batch, with all rows, the lines of the moderation log, and the decisions that had no effect.

    `rows` are the current rows by id, which are locked. `claimed` are the new posts or comments that own their
    idempotency keys, as the function `claimed` returns them; other new ones are skipped.

    Raises ValueError for an event about a post, comment or content that is missing in Postgres.
    """
    changes: dict[int, RowChange[Row]] = {}
    for event in events:
        if _is_skipped(batch, event, claimed):
            continue
        id_ = event.ref.entity_id
        row = changes[id_].after if id_ in changes else rows.get(id_)
        after: Row | None = _row_after(event, row)
        facts = None
        if after is not None:
            change = changes.setdefault(id_, RowChange(rows.get(id_), after, event.partition))
            change.after, change.through = after, max(change.through, event.version)
            _complete(batch, event, row, change, moderation)
            after, facts = change.after, change.facts
        if after is None and isinstance(event, ModerationDecided):
            batch.without_effect.add((event.ref, event.version))
        for line in moderation_log.lines(event, row, after, batch.state.labels, facts):
            moderation.remember(line)
            batch.log.append(line)
    batch.add(rows.values(), changes.values())
    return changes


def _is_skipped(batch: Batch, event: ContentEvent, claimed: set[EntityRef]) -> bool:
    """Returns whether an event changes nothing: a new post or comment with an idempotency key that another one owns, or
    labels that no appeal lifts any more.
    """
    if isinstance(event, LabelsSet):
        return (event.ref, event.version) in batch.without_effect
    return isinstance(event, ContentChanged) and bool(event.claim) and event.ref not in claimed


def _complete(
    batch: Batch, event: ContentEvent, row: Row | None, change: RowChange[Row], moderation: ModerationPass
) -> None:
    """Adds to the change that an event makes what follows from it: who decided, the replaced version, or the verdict of
    the moderation rules about new content. `row` is the row before the event. Sets the labels of the rules and of the
    external reviewer. Tells the author of labels that a moderator has set.
    """
    change.facts = None
    if isinstance(event, ModerationDecided):
        change.moderated, change.ground = event.version, event.ground
        change.source = CaseSource.REVIEWER if event.reviewer else None
        _add_labels(change, event.labels, batch.state.labels)
    elif isinstance(event, LabelsSet):
        if row is None or row.moderator_labels != event.labels:
            tell_of_labels(batch, event, change.after.author_id, change.after.business)
    else:
        if row is not None and event.edits and not row.is_emptied:
            change.replaced.append((row, event.version))
        _moderate(event, change, moderation, batch.state.labels)


def _add_labels(change: RowChange[Row], found: Sequence[LabelVerdict], labels: Labels) -> None:
    """Adds labels that the rules or the external reviewer set to those of moderators, unless a moderator has set labels
    since the author wrote the content. Leaves out labels that are not configured any more.
    """
    row = change.after
    named = [(label, one.reason) for one in found if (label := labels.named(one.name))]
    new = [(label, reason) for label, reason in named if not row.moderator_labels & 1 << label.id]
    if new and row.labels_version <= row.content_version:
        bits = row.moderator_labels | sum(1 << label.id for label, _ in new)
        change.after = replace(row, moderator_labels=bits)
        change.facts = "; ".join(f"{label.title}: {reason}" for label, reason in new)


def _row_after(event: ContentEvent, row: Row | None) -> Row | None:
    """Returns the row of a post or comment after an event. Returns None if the event changes nothing: it is old, the
    row is deleted, a user who is not the author edits a post or comment, or deletes a post, a user who is not the
    author of the quoted post detaches a quote, or an edit adds neither text nor images to a post or comment whose
    content was removed after the author asked for the edit.

    Raises ValueError if the row or content that the event refers to is missing, because the entry that creates it was
    refused or a failover lost it. The event becomes a dead letter and can be applied again later.
    """
    if row is None and isinstance(event, ContentChanged) and event.patch.publishes:
        born: Row = event.patch.born(event.ref.entity_id, event.actor_id)
        return born
    if row is None:
        raise ValueError(f"{event.ref} has no row yet")
    if row.deleted:
        return None
    if isinstance(event, ModerationDecided):
        return _row_after_decision(event, row)
    if isinstance(event, LabelsSet):
        is_newer = event.version > row.labels_version
        return replace(row, moderator_labels=event.labels, labels_version=event.version) if is_newer else None
    if event.patch.detaches:
        allowed = event.actor_id == row.detacher_id
    else:
        allowed = event.actor_id == row.author_id or (event.patch.deletes and event.ref.business_id != POSTS)
    after: Row = event.patch.applied(row) if allowed and event.patch.is_news_to(row) else row
    stays_empty = row.is_emptied and after.is_emptied and not after.deleted
    return None if after is row or stays_empty else after


def _row_after_decision(event: ModerationDecided, row: Row) -> Row | None:
    """Returns the row after a moderation decision. Returns None if the decision has no effect: it is about older
    content, a moderator has decided later, the external reviewer decided and the row does not wait for a review any
    more, reports decided and a moderator has approved the content, or it approves content that was removed.

    Raises ValueError if the row does not contain the judged content yet.
    """
    if event.content_version > row.content_version:
        raise ValueError(f"{row.global_id} lacks the content that was judged")
    if event.content_version < row.content_version or (row.is_emptied and event.status is AuditStatus.APPROVED):
        return None
    if event.by_reports:
        untouched = row.status is AuditStatus.APPROVED and row.audit_version <= row.content_version
        return replace(row, status=event.status, reason=event.reason) if untouched else None
    if event.reviewer:  # keeps audit_version, so that a moderator's decision wins, in whichever order the two come
        return replace(row, status=event.status, reason=event.reason) if row.awaits_review else None
    if event.version <= row.audit_version:
        return None
    return replace(row, status=event.status, reason=event.reason, audit_version=event.version)


def tell_of_labels(batch: Batch, event: LabelsSet, user_id: int, business: str) -> None:
    """Adds to the batch a notification for the author or owner of content whose labels a moderator has set. `business`
    is the name of the business of the content.
    """
    titles = ", ".join(label.title for label in batch.state.labels.in_bits(event.labels))
    what = f"set the labels of your {business} to {titles}" if titles else f"removed the labels of your {business}"
    why = with_title(f"A moderator {what}: {event.reason}", event.ground, batch.state.settings)
    batch.untold.moderated(user_id, event.ref, event.version, why)


def _moderate(event: ContentChanged, change: RowChange[Row], moderation: ModerationPass, labels: Labels) -> None:
    """Runs the moderation rules on a post or comment that was published or edited, and changes `change` by the verdict.
    What is hidden because of reports stays hidden after an edit. For a deleted post or comment, only records in
    `change` who deleted it.
    """
    if event.patch.detaches:
        return
    if event.patch.publishes:
        change.trace = event.trace
    if event.patch.deletes:
        change.deleted_by, change.deleted_as = event.actor_id, event.patch.role
        return
    change.moderated, change.ground = event.version, None
    was = change.after
    change.after, change.source, found = moderation.moderated(was, event.trace)
    _add_labels(change, found, labels)
    was_hidden = was.status is AuditStatus.PENDING and was.reason == HIDDEN_BY_REPORTS
    if was_hidden and change.after.status is not AuditStatus.REJECTED:
        change.after = replace(change.after, status=AuditStatus.PENDING, reason=HIDDEN_BY_REPORTS)
        change.source = CaseSource.RULES


def assign_versions(changes: Iterable[RowChange[Row]]) -> None:
    """Gives each changed row a version that is higher than its previous version, and not lower than that of the newest
    event that changed it. So versions do not go back if Postgres loses several batches and stores their events as one.
    """
    for change in changes:
        change.after = replace(change.after, version=max(change.after.version + 1, change.through))


async def ask_to_index(transaction: Transaction, changes: Iterable[RowChange[Row]]) -> None:
    """Requests that workers index the changed posts or comments that have become public, have disappeared, or have
    other content.
    """
    await search.ask(
        transaction,
        [
            (change.after.ref, change.after.version)
            for change in changes
            if change.appears or change.disappears or (change.before and _says_other(change.before, change.after))
        ],
    )


def _says_other(before: Row, after: Row) -> bool:
    return after.is_public and before.says != after.says


async def name_mentioned(transaction: Transaction, changes: Iterable[RowChange[Row]]) -> None:
    """Sets in changed posts and comments which users their texts mention, where this is not known. A handle of the
    earlier text keeps its user, so that an edit does not turn a mention into one of another user.
    """
    unnamed = [(change, handles) for change in changes if (handles := _unnamed(change.after))]
    wanted = sorted({handle for _, handles in unnamed for handle in handles})
    holders = await held_handles.holders_in(transaction, wanted) if wanted else {}
    for change, handles in unnamed:
        users = {**holders, **dict((change.before and change.before.mentioned) or ())}
        pairs = tuple((handle, users[handle]) for handle in handles if handle in users)
        change.after = replace(change.after, mentioned=pairs)


def _unnamed(row: Row) -> list[str]:
    """Returns the handles in the text of a post or comment, if it is not known which users had them."""
    return mentions(row.text) if row.mentioned is None and not row.deleted else []


def notify_mentioned(batch: Batch, changes: Sequence[RowChange[Row]], *, but_concerned: bool = False) -> None:
    """Adds to the batch a notification for each user that these posts or comments mention. With `but_concerned`, leaves
    out users who were notified when the comment became public: the owner of its subject, and the author of the comment
    that it replies to.
    """
    for change in changes:
        row = change.after
        for _, user_id in row.mentioned or ():
            if not (but_concerned and user_id in row.concerned):
                batch.untold.said(MENTION, user_id, row.ref, row.author_id, change.notification_version, row.threads)


def notify_authors(batch: Batch, changes: Iterable[RowChange[Row]]) -> None:
    """Adds to the batch a notification for each author whose post or comment was rejected, with the reason."""
    for change in changes:
        if change.rejected:
            row = change.after
            why = f"Your {row.business} was rejected: {row.reason or 'against the rules'}"
            message = with_title(why, change.ground, batch.state.settings)
            batch.untold.moderated(row.author_id, row.ref, change.notification_version, message)
