"""Webhooks and other destinations of outgoing events: creates them, lists them, and changes their state and secrets.
`plaudit webhooks` and the administration API call these functions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from commands import admin
from context import Context
from domain import webhook_signatures
from domain.errors import Refused, UserErrorCode
from models.outgoing import Destination, DestinationState
from settings import TOPICS, USERS
from state import State
from store.groups import grouped
from store.outgoing import cursors, destinations, urls
from store.outgoing.cursors import Cursor
from store.outgoing.registry import KINDS, KINDS_BY_LABEL

MOST_WEBHOOKS = 100
"""The number of webhooks, of the API and of the command line, from which on the API creates no more."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MOST_SECRETS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Webhook:
    """A destination of outgoing events, with how far behind it is. `kinds` and `businesses` have the names of the
    wanted events; empty means all. `url` has no password. `waiting_since` is the time of the oldest event that it has
    not got, `lost` the cursors with events that were removed before they were sent.
    """

    name: str
    url: str
    kinds: list[str]
    businesses: list[str]
    state: DestinationState
    reason: str | None
    failing_since: datetime | None
    waiting_since: datetime | None
    lost: list[Cursor]
    is_webhook: bool


@dataclass(frozen=True, slots=True, eq=False)
class WithSecret:
    """A webhook with its newest secret, which nothing shows a second time."""

    webhook: Webhook
    secret: str


def time_of(position: int) -> datetime:
    """Returns the time that the position of an outgoing event contains."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=position)


async def add(state: State, name: str, url: str, kinds: Sequence[str], businesses: Sequence[str]) -> list[str]:
    """Adds a destination for events of these kinds and businesses (empty: all). Returns the secrets that sign its
    requests: a webhook gets one, a Redis stream none. Raises Refused with INVALID for an invalid value or a name that
    is in use.
    """
    if not _NAME.fullmatch(name):
        raise _invalid("The name must have lower-case letters, digits and hyphens, at most 40.", "name")
    try:
        urls.check(url, state.settings.events)
    except ValueError as error:
        raise _invalid(str(error), "url") from None
    known = {"user": USERS, "topic": TOPICS, **{business.name: business.id for business in state.settings.businesses}}
    kind_ids = _known("kind", "kinds", kinds, {label: kind.number for label, kind in KINDS_BY_LABEL.items()})
    business_ids = _known("business", "businesses", businesses, known)
    secrets = [webhook_signatures.new_secret()] if urls.is_webhook(url) else []
    if not await destinations.add(state.postgres, name, url, kind_ids, business_ids, secrets):
        raise _invalid(f"There is a destination {name} already.", "name")
    return secrets


def _known(what: str, field: str, given: Sequence[str], known: dict[str, int]) -> list[int]:
    for at, one in enumerate(given):
        if one not in known:
            raise _invalid(f"There is no {what} {one[:100]}. Known: {', '.join(sorted(known))}.", field, str(at))
    return [known[one] for one in dict.fromkeys(given)]


async def every(state: State) -> list[Webhook]:
    """Returns all destinations, by name."""
    known = await destinations.read(state.postgres)
    if not known:
        return []
    places = grouped((cursor.name, cursor) for cursor in await cursors.every(state.postgres))
    waiting = await cursors.oldest_waiting(state.postgres, range(state.settings.partitions))
    return [_described(state, one, places.get(one.name, ()), waiting.get(one.name)) for one in known.values()]


def _described(state: State, one: Destination, places: Sequence[Cursor], waiting: int | None) -> Webhook:
    """Returns a destination with its condition. `places` are its cursors, `waiting` is the position of the oldest event
    that it has not got.

    The reason is that of the whole destination, or else that of the partition that has failed for the longest time.
    """
    failing = sorted((place.failing_since, place.failure) for place in places if place.failing_since)
    since, why = failing[0] if failing else (None, None)
    names = state.event_businesses
    return Webhook(
        one.name,
        _without_password(one.url),
        [KINDS[kind].label for kind in one.kinds],
        [names.get(id_, str(id_)) for id_ in one.businesses],
        one.state,
        one.reason or why,
        since,
        None if waiting is None else time_of(waiting),
        [place for place in places if place.lost_after is not None],
        urls.is_webhook(one.url),
    )


def _without_password(url: str) -> str:
    return re.sub(r"([?&]password=)[^&]*", r"\1…", re.sub(r"//([^/@:]*):[^/@]*@", r"//\1:…@", url))


async def found(state: State, name: str) -> Destination:
    """Returns the destination with this name. Raises Refused with TARGET_NOT_FOUND if there is none."""
    if one := (await destinations.read(state.postgres)).get(name):
        return one
    raise _unknown(name)


async def remove(state: State, name: str) -> None:
    """Removes a destination, and forgets how far it is. Raises Refused with TARGET_NOT_FOUND if there is none."""
    if not await destinations.remove(state.postgres, name):
        raise _unknown(name)


async def set_state(state: State, name: str, wanted: DestinationState, reason: str | None) -> None:
    """Pauses or resumes a destination, and forgets its failures, so that workers try again at once. Raises Refused with
    TARGET_NOT_FOUND if there is none.
    """
    if not await destinations.set_state(state.postgres, name, wanted, reason):
        raise _unknown(name)


async def rotate(state: State, name: str) -> str:
    """Gives a webhook a new secret, and returns it. The previous secret stays valid until the next rotation. Raises
    Refused with TARGET_NOT_FOUND if there is no destination with this name, with INVALID for a Redis stream.
    """
    one = await found(state, name)
    if not urls.is_webhook(one.url):
        raise _invalid(f"{name} is a Redis stream, and has no secret.", "name")
    secret = webhook_signatures.new_secret()
    if not await destinations.add_secret(state.postgres, name, secret, _MOST_SECRETS):
        raise _unknown(name)
    return secret


def _invalid(message: str, *field: str) -> Refused:
    return Refused.because(UserErrorCode.INVALID, message, *field)


def _unknown(name: str) -> Refused:
    return Refused.because(UserErrorCode.TARGET_NOT_FOUND, f"There is no destination {name[:100]}.", "name")


# The administration API: it knows webhooks only, because URLs of Redis streams have passwords.


async def create(context: Context, name: str, url: str, kinds: Sequence[str], businesses: Sequence[str]) -> WithSecret:
    """Creates a webhook. Returns it with its secret.

    Raises Unauthenticated, Forbidden; Refused with INVALID for an invalid value, for a name that is in use, and if
    there are too many webhooks already.
    """
    admin.require(context)
    state = context.state
    if not urls.is_webhook(url):
        raise _invalid("The URL of a webhook must use https.", "url")
    if sum(one.is_webhook for one in await every(state)) >= MOST_WEBHOOKS:
        raise _invalid(f"There are {MOST_WEBHOOKS} webhooks already. Delete one first.")
    (secret,) = await add(state, name, url, kinds, businesses)
    admin.log_change(context, "webhook created", [name])
    return WithSecret(await _webhook(state, name), secret)


async def delete(context: Context, name: str) -> str:
    """Deletes a webhook. Returns its name. Raises Unauthenticated, Forbidden; Refused with TARGET_NOT_FOUND."""
    admin.require(context)
    await _webhook(context.state, name)
    await remove(context.state, name)
    admin.log_change(context, "webhook deleted", [name])
    return name


async def rotate_secret(context: Context, name: str) -> WithSecret:
    """Gives a webhook a new secret. Returns both. Raises Unauthenticated, Forbidden; Refused with TARGET_NOT_FOUND."""
    admin.require(context)
    await _webhook(context.state, name)
    secret = await rotate(context.state, name)
    admin.log_change(context, "secret of a webhook rotated", [name])
    return WithSecret(await _webhook(context.state, name), secret)


async def retry(context: Context, name: str) -> Webhook:
    """Makes workers send the waiting events of a webhook again at once, also if it is paused or has lost events.
    Returns the webhook. Raises Unauthenticated, Forbidden; Refused with TARGET_NOT_FOUND.
    """
    admin.require(context)
    await _webhook(context.state, name)
    await set_state(context.state, name, DestinationState.ACTIVE, None)
    admin.log_change(context, "webhook retried", [name])
    return await _webhook(context.state, name)


async def _webhook(state: State, name: str) -> Webhook:
    """Returns the webhook with this name. Raises Refused with TARGET_NOT_FOUND if there is none."""
    for one in await every(state):
        if one.name == name and one.is_webhook:
            return one
    raise Refused.because(UserErrorCode.TARGET_NOT_FOUND, "There is no webhook with this name.", "name")
