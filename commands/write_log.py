"""The write log acknowledges the changes that users request. It has two implementations; `current` chooses one of them.

Normally changes go to the journal in Redis (commands/journal_log.py). While Redis is unavailable, changes go directly
to Postgres (commands/direct_log.py). Each kind of change says how it is made in both (commands/changes.py, and the
files of the commands).
"""

from commands.direct_log import DirectLog
from commands.journal_log import JournalLog
from state import State

WriteLog = DirectLog | JournalLog
"""A log that acknowledges changes. Both logs have the same methods. `actor_id` is the user in whose journal the change
belongs, and `operation` identifies one intended write by its idempotency key.

Every method makes its change at most once per operation; later calls with the same operation return the first outcome.
Raises RedisDown or PostgresDown if it is unknown whether the change was made; Moved if nothing was changed because
another log is in use.
"""


async def current(state: State) -> WriteLog:
    """Returns the write log that is in use. Raises Unavailable during the few seconds of a switch between the logs."""
    return DirectLog(state) if await state.write_mode.writes_directly() else JournalLog(state)
