"""Checks that each acknowledged block, mute, dismissal, removal, request and suspension is stored once, and has the
same effect in rows, caches and answers. An unacknowledged one is there for both users or for none.
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

from sqlalchemy import text

from models.suggestions import dismissal
from models.users import SuspensionMode
from settings import SUGGESTIONS
from state import State
from tests.failures.faults.pairs import SEEN, SHOWN, Direction, Relations, following
from tests.support.system import Api, Person

_ROWS = text("""
    SELECT 'block' AS kind, user_id AS who, blocked_id AS other FROM blocks WHERE stands AND user_id = ANY(:users)
    UNION ALL
    SELECT 'block of', blocker_id, user_id FROM blocked_by WHERE stands AND user_id = ANY(:users)
    UNION ALL
    SELECT 'mute', user_id, muted_id FROM mutes WHERE until_ms > 0 AND user_id = ANY(:users)
    UNION ALL
    SELECT 'dismissSuggestion', user_id, entity_id FROM thread_mutes
    WHERE business_id = :suggestions AND stands AND user_id = ANY(:users)
    UNION ALL
    SELECT 'follow', user_id, followee_id FROM following WHERE user_id = ANY(:users)
    UNION ALL
    SELECT 'follow of', follower_id, user_id FROM followers WHERE user_id = ANY(:users)
    UNION ALL
    SELECT 'request', user_id, followee_id FROM requested_follows WHERE user_id = ANY(:users)
    UNION ALL
    SELECT 'request of', follower_id, user_id FROM follow_requests WHERE user_id = ANY(:users)
""")
_USERS = text("SELECT user_id, handle, suspended FROM users WHERE user_id = ANY(:users)")
_NAMES = {int(mode): mode.name for mode in SuspensionMode}
_SUSPENSION = "query ($id: ID!) { node(id: $id) { ... on User { suspension { mode } } } }"
_REQUESTS = "{ viewer { followRequests { nodes { id } } } }"
_HIDING = {"HIDDEN", "SHADOW"}
_ONCE = ("mute", "dismissSuggestion")
"""The kinds that are stored for the user who acts."""
_TWICE = ("block", "follow", "request")
"""The kinds that are stored for both users."""

Rows = Mapping[str, set[Direction]]
"""Directions by kind."""


async def relation_violations(stores: State, api: Api, relations: Relations) -> list[str]:
    """Returns a sentence for each deviation from what the users of pairs were promised."""
    users = sorted(relations.suspended)
    rows: dict[str, set[Direction]] = {kind: set() for kind in (*_ONCE, *_TWICE, *(f"{kind} of" for kind in _TWICE))}
    for kind, who, other in await stores.postgres.read(_ROWS, users=users, suggestions=SUGGESTIONS):
        rows[kind].add((who, other))
    stored = await stores.postgres.read(_USERS, users=users)
    modes = {row.user_id: _NAMES.get(row.suspended) for row in stored}
    people = {row.user_id: api.person(row.handle) for row in stored}
    return [
        *_wrong_rows(relations, rows),
        *_wrong_modes(relations, modes),
        *await _wrong_caches(stores, users, rows),
        *await _wrong_suspensions(api.person("judge", "moderate"), modes),
        *[sentence async for sentence in _wrong_answers(people, relations, rows, modes)],
        *[sentence async for sentence in _wrong_requests(people, rows)],
    ]


def _wrong_modes(relations: Relations, modes: Mapping[int, str | None]) -> Iterable[str]:
    for user, possible in relations.suspended.items():
        if modes[user] not in possible:
            yield f"the suspension of {user} is {modes[user]} instead of {possible}"


def _wrong_rows(relations: Relations, rows: Rows) -> Iterable[str]:
    for kind in _TWICE:
        if rows[kind] != rows[f"{kind} of"]:
            yield f"one user has a {kind} that the other one lacks: {rows[kind] ^ rows[f'{kind} of']}"
    for (kind, direction), possible in relations.states.items():
        is_stored = direction in rows[kind]
        if is_stored not in possible:
            yield f"{kind} {direction}: {is_stored} instead of {possible}"
    for one, other in rows["block"]:
        for direction in ((one, other), (other, one)):
            if direction in rows["follow"]:
                yield f"the follow {direction} goes on during the block {one, other}"


async def _wrong_caches(stores: State, users: Sequence[int], rows: Rows) -> list[str]:
    """Compares the cached boundaries with the rows. Reconciliation compares the cached follows."""
    found = []
    for user in users:
        cached = await stores.boundaries.read(stores.boundaries.ask(user))
        expected = (
            {other for who, other in rows["block"] if who == user},
            {other for who, other in rows["mute"] if who == user},
            {who for who, other in rows["block"] if other == user},
            {dismissal(other) for who, other in rows["dismissSuggestion"] if who == user},
        )
        now_ms = stores.now_ms()
        held: tuple[object, ...] = (
            set(cached.blocks),
            {other for other in cached.mutes if cached.is_muted(other, now_ms)},
            cached.blockers,
            set(cached.threads),
        )
        if held != expected:
            found.append(f"the cached boundaries of {user} are {held} instead of {expected}")
    return found


async def _wrong_suspensions(moderator: Person, modes: Mapping[int, str | None]) -> list[str]:
    found = []
    for user, mode in modes.items():
        suspension = (await moderator.ask(_SUSPENSION, id=f"User:{user}"))["node"]["suspension"]
        if suspension != (mode and {"mode": mode}):
            found.append(f"the suspension of {user} is shown as {suspension} instead of {mode}")
    return found


async def _wrong_answers(
    people: Mapping[int, Person], relations: Relations, rows: Rows, modes: Mapping[int, str | None]
) -> AsyncIterator[str]:
    """Compares what the users of each pair are shown of each other with the rows."""
    for there in {direction for _, direction in relations.states}:
        seen = (await people[there[0]].ask(SEEN, id=f"User:{there[1]}"))["node"]
        shown = seen and {
            "block": seen["viewerBlocks"],
            "mute": seen["viewerMutes"],
            "follow": following(seen),
            "request": seen["viewerRelation"] == "REQUESTED",
        }
        if shown != (expected := _expected(there, rows, modes)):
            yield f"{there[0]} is shown {there[1]} as {shown} instead of {expected}"


async def _wrong_requests(people: Mapping[int, Person], rows: Rows) -> AsyncIterator[str]:
    """Compares the lists of requests with the rows."""
    for user, person in people.items():
        nodes = (await person.ask(_REQUESTS))["viewer"]["followRequests"]["nodes"]
        expected = {f"User:{asking}" for asking, asked in rows["request"] if asked == user}
        if {node["id"] for node in nodes} != expected:
            yield f"{user} is shown requests of {nodes} instead of {expected}"


def _expected(there: Direction, rows: Rows, modes: Mapping[int, str | None]) -> dict[str, bool] | None:
    """Returns what a user must be shown of another one: None if a block or a suspension hides the other."""
    if {there, there[::-1]} & rows["block"] or modes[there[1]] in _HIDING:
        return None
    return {kind: there in rows[kind] for kind in SHOWN}
