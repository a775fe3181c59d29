"""Posts, comments, and moderation decisions about them, and labels of entities. All changes of a batch are moderated
together, because the history of an author's submissions, which the rules look at, includes posts and comments.
"""

from collections.abc import Sequence
from typing import Any

from domain.moderation.reports import ReportStatus
from domain.moderation.verdicts import AuditStatus, LabelVerdict
from models.counters import EntityRef
from models.moderation_steps import JUDGE, LABEL
from models.patches import ANNOUNCE, COMMENT, POST, CommentPatch, Patch, PostPatch
from projections import comments, entities, posts
from projections.batch import Batch
from projections.content_events import ContentChanged, ContentEvent, LabelsSet, ModerationDecided
from projections.entries.appeals import Appealed
from projections.entries.reports import Reported, ReportsResolved
from projections.events import TEXTS, Event, ground_of, head_of, trace_of
from projections.moderation import ModerationPass
from projections.notices import Noticed
from projections.projection import Projection, Publication, patch_of
from settings import COMMENTS, POSTS
from store.content import comment_rows, post_rows
from store.gather import gather_all
from store.moderation import cases, word_lists
from store.people import deletions
from store.write_log.claims import Claim, Name
from store.write_log.journal import Entry


def _parse_post(entry: Entry, data: dict[str, Any]) -> list[ContentChanged]:
    return _changed(entry, EntityRef(POSTS, int(data["post"])), PostPatch.parse(entry.version, data), data)


def _parse_comment(entry: Entry, data: dict[str, Any]) -> list[ContentChanged]:
    return _changed(entry, EntityRef(COMMENTS, int(data["comment"])), CommentPatch.parse(entry.version, data), data)


def _changed(entry: Entry, ref: EntityRef, patch: Patch[Any], data: dict[str, Any]) -> list[ContentChanged]:
    actor, claim, left = int(data["actor"]), None, tuple(data.get("left", ()))
    if patch.publishes and data["op"] != ANNOUNCE:
        claim = Claim(Name(actor, ref.business_id, str(data["key"])), str(data["fingerprint"]), ref.entity_id)
    if not {str}.issuperset(map(type, left)):
        raise TypeError(f"{left!r} contains values that are not strings")
    return [ContentChanged(entry.partition, entry.version, actor, ref, patch, claim, left, trace_of(data))]


def _parse_decision(entry: Entry, data: dict[str, Any]) -> list[Event]:
    """Returns the event of a moderation decision and, if a moderator made it, the event that resolves the reports of
    its target.
    """
    status, reason, reviewer = AuditStatus(data["status"]), f"{data['reason']}", bool(data["reviewer"])
    head, by_reports = head_of(entry, data), bool(data.get("reports"))
    ground, match = ground_of(data), data.get("match")
    if type(match) not in TEXTS:
        raise TypeError(f"{match!r} is not a text")
    content, by_reviewer = int(data["content"]), reviewer and not by_reports
    labels = tuple(LabelVerdict(str(name), str(why)) for name, why in data.get("labels", ()))
    decided = ModerationDecided(*head, content, status, reason, by_reviewer, by_reports, match, ground, labels)
    if not decided.by_moderator:
        return [decided]
    outcome = ReportStatus.ACCEPTED if status is AuditStatus.REJECTED else ReportStatus.DISMISSED
    return [decided, ReportsResolved(*head, outcome, reason, decides_content=True, ground=ground)]


def _parse_labels(entry: Entry, data: dict[str, Any]) -> list[LabelsSet]:
    return [LabelsSet(*head_of(entry, data), int(data["labels"]), f"{data['reason']}", ground_of(data))]


async def _apply(batch: Batch, events: Sequence[ContentEvent]) -> None:
    """Writes posts and comments, runs the moderation rules on changed content, and stores digests of the content, with
    which later content is compared. First locks the posts and comments that reports and appeals are about.
    """
    wrote = await _without_unreported(batch, events)
    await _lock_reported(batch, wrote)
    if not wrote:
        return
    await word_lists.follow(batch.transaction, batch.state.moderation)
    moderation = await ModerationPass.read(batch.state, batch.transaction, wrote)
    if about_posts := _about(POSTS, wrote):
        await posts.apply(batch, about_posts, moderation)
    if about_comments := _about(COMMENTS, wrote):
        await comments.apply(batch, about_comments, moderation)
    if about_entities := _about_entities(wrote):
        await entities.apply(batch, about_entities)
    await moderation.write(batch.transaction)
    await _hold_matched(batch, wrote)


async def _hold_matched(batch: Batch, events: Sequence[ContentEvent]) -> None:
    """Puts the authors of known illegal content under a legal hold, so that nothing removes the content."""
    for event in events:
        if isinstance(event, ModerationDecided) and event.match is not None:
            row = batch.rows[event.ref]
            if (event.ref, event.version) not in batch.without_effect:
                reason = f"{row.global_id}: {event.match}"
                await deletions.hold_also(batch.transaction, row.author_id, reason, batch.state.now_ms())


def _about(business_id: int, events: Sequence[ContentEvent]) -> list[ContentEvent]:
    return [event for event in events if event.ref.business_id == business_id]


def _about_entities(events: Sequence[ContentEvent]) -> list[LabelsSet]:
    others = (POSTS, COMMENTS)
    return [event for event in events if isinstance(event, LabelsSet) and event.ref.business_id not in others]


async def _without_unreported(batch: Batch, events: Sequence[ContentEvent]) -> Sequence[ContentEvent]:
    """Returns the events, except outdated decisions that hide a post or comment because of reports: it has no open
    reports any more, because a moderator has decided about them.
    """
    hidden = {event.ref for event in events if isinstance(event, ModerationDecided) and event.by_reports}
    if not hidden:
        return events
    reported = await cases.reported_among(batch.transaction, hidden)
    settled = hidden - (reported - {event.ref for event in batch.of(ReportsResolved)})
    return [
        event
        for event in events
        if not (isinstance(event, ModerationDecided) and event.by_reports and event.ref in settled)
    ]


async def _lock_reported(batch: Batch, wrote: Sequence[ContentEvent]) -> None:
    """Locks the posts and comments that reports, notices and appeals in the batch are about, so that they are not
    deleted before these are stored. Also locks those that the batch changes: all posts, then all comments, in the order
    of their ids, against deadlocks. Does nothing without such reports, notices and appeals.
    """
    targets = {event.ref for kind in (Reported, Noticed, Appealed) for event in batch.of(kind)}
    if not any(ref.business_id in (POSTS, COMMENTS) for ref in targets):
        return
    targets |= {event.ref for event in wrote}
    if ids := {ref.entity_id for ref in targets if ref.business_id == POSTS}:
        batch.add((await post_rows.lock(batch.transaction, ids)).values())
    if ids := {ref.entity_id for ref in targets if ref.business_id == COMMENTS}:
        ids |= comments.roots_named(_about(COMMENTS, wrote))
        batch.add((await comment_rows.lock(batch.transaction, ids)).values())


async def _collect(publication: Publication, events: Sequence[ContentEvent]) -> None:
    """Reads the current rows of the posts and comments. Adds to the publication the rows, and the objects whose
    counters, hot scores and hidden comments may have changed.
    """
    about_posts, about_comments = _about(POSTS, events), _about(COMMENTS, events)
    publication.posts = await posts.current_rows(publication.state, about_posts)
    publication.comments = await comments.current_rows(publication.state, about_comments)
    publication.counted |= {event.ref for event in events}
    publication.counted |= posts.counted(publication.posts, about_posts) | comments.counted(publication.comments)
    publication.scored |= {event.ref for event in about_posts}
    publication.scored |= {row.ref for row in publication.comments if row.root_id is None}
    publication.hidden_of |= comments.with_hidden(publication.comments, about_comments)


async def _publish(publication: Publication, events: Sequence[ContentEvent]) -> None:
    """Writes the rows to cached posts and comments, and to their cached lists. Drops the cached copies of entities."""
    state = publication.state
    await gather_all(posts.publish(state, publication.posts), comments.publish(state, publication.comments))
    if labeled := {event.ref for event in _about_entities(events)}:
        await entities.publish(state, sorted(labeled))


PROJECTION: Projection[ContentEvent] = Projection(
    (ContentChanged, ModerationDecided, LabelsSet),
    {POST: _parse_post, COMMENT: _parse_comment, JUDGE: _parse_decision, LABEL: _parse_labels},
    _apply,
    _collect,
    _publish,
    pending=lambda event: patch_of(event) if isinstance(event, ContentChanged) else None,
    rank=1,
    also=(Reported, Noticed, Appealed),
)
