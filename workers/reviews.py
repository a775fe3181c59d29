"""Sends posts, comments, profiles and names of collections that wait for the external reviewer to it, and applies the
verdicts.
"""

from collections.abc import Callable, Sequence

from observability.logs import Log
from state import State
from store.backoff import pause, rest
from workers import collection_reviews, content_reviews, external_reviewer, profile_reviews

log = Log(__name__)

_LONGEST_PAUSE = 5.0
"""The longest pause in seconds after a failure."""


async def run(state: State, owned: Callable[[], Sequence[int]]) -> None:
    """Sends the posts, comments, profiles and names of collections of users in the `owned` partitions that wait for the
    external reviewer to it, and applies the verdicts, until the task is cancelled. Pauses while Redis is down or writes
    go directly to Postgres. After a failure, logs it and tries again. Returns at once if no reviewer is configured.
    """
    if not (settings := state.settings.moderation.reviewer):
        return
    async with external_reviewer.opened(settings, state.labels) as external:
        failures = 0
        while True:
            try:
                asked = await content_reviews.step(state, external, owned())
                asked += await profile_reviews.step(state, external, owned())
                asked += await collection_reviews.step(state, external, owned())
                wait = 0 if asked else state.settings.batches.window_seconds
                failures = 0
            except Exception as error:  # noqa: BLE001 - the submissions are still due
                log.warning("could not review submissions", error=repr(error))
                failures += 1
                wait = pause(failures, _LONGEST_PAUSE)
            await rest(wait)
