"""Reports something, reads the moderation queue, and decides, through the API."""

from typing import Any

from tests.support.system import Person

REPORT = """mutation ($id: ID!, $reason: ReportReason!, $note: String, $key: String) {
  report(input: {targetId: $id, reason: $reason, note: $note, idempotencyKey: $key}) {
    target { id } userErrors { code field } } }"""
RESOLVE = """mutation ($id: ID!, $resolution: ReportResolution!, $key: String) {
  resolveReports(input: {targetId: $id, resolution: $resolution, reason: "decided", idempotencyKey: $key}) {
    target { id } userErrors { code field } } }"""
QUEUE = """query ($status: CaseStatus!, $kind: CaseKind, $business: String, $source: ModerationSource,
  $assignment: CaseAssignment, $sort: CaseOrder!, $after: String) {
  moderationQueue(status: $status, kind: $kind, business: $business, source: $source, assignment: $assignment,
      sort: $sort, after: $after, first: 50) {
    edges { reason node { id } case { status sources openedAt resolvedAt assignee { handle } assignedUntil
      appeal { text } reportCount reportReasons { reason count }
      newestReports { reason note reporter { handle } }
      author { handle } authorRecord { reportsReceivedCount acceptedReportsReceivedCount
        rejectedCount warnedCount suspendedCount } } }
    pageInfo { hasNextPage endCursor } } }"""
NOTIFIED = "{ viewer { notifications { nodes { kind message actors { id } actorCount subject { id } } } } }"


async def report(
    person: Person, target_id: str, reason: str = "SPAM", note: str | None = None, key: str | None = None
) -> Any:
    """Returns the payload of report."""
    return (await person.ask(REPORT, id=target_id, reason=reason, note=note, key=key))["report"]


async def reported(person: Person, target_id: str, reason: str = "SPAM", note: str | None = None) -> None:
    """Makes a person report a target, which must succeed."""
    assert (await report(person, target_id, reason, note))["userErrors"] == []


async def resolve(moderator: Person, target_id: str, resolution: str, key: str | None = None) -> Any:
    """Returns the payload of resolveReports."""
    return (await moderator.ask(RESOLVE, id=target_id, resolution=resolution, key=key))["resolveReports"]


async def queue(moderator: Person, **wanted: Any) -> list[Any]:
    """Returns the edges of the first page of the moderation queue."""
    variables = dict.fromkeys(("kind", "business", "source", "assignment", "after"))
    variables |= {"status": "OPEN", "sort": "OLDEST"} | wanted
    return list((await moderator.ask(QUEUE, **variables))["moderationQueue"]["edges"])


async def queued(moderator: Person, **wanted: Any) -> dict[str, int]:
    """Returns the number of open reports by target, in the order of the moderation queue."""
    return {edge["node"]["id"]: edge["case"]["reportCount"] for edge in await queue(moderator, **wanted)}


async def notified(person: Person) -> list[tuple[str, str | None]]:
    """Returns the messages and targets of the notifications about decided reports, newest first."""
    nodes = (await person.ask(NOTIFIED))["viewer"]["notifications"]["nodes"]
    assert all((node["actors"], node["actorCount"]) == ([], 0) for node in nodes)
    return [
        (node["message"], node["subject"]["id"] if node["subject"] else None)
        for node in nodes
        if node["kind"] == "REPORT"
    ]
