"""Changes that stay in effect if Redis or Postgres fails afterwards: suspensions and deletions of users."""

from dataclasses import dataclass

from commands.changes import ModerationStep
from domain.versions import version_of
from projections.apply import apply_early
from state import State
from store.people import users
from store.write_log import partition_leases
from store.write_log.journal import Entry
from store.write_log.operations import Operation, Outcome


@dataclass(frozen=True, slots=True)
class EarlyStep(ModerationStep):
    """A change of the state of the user `ref`, such as a suspension, which is written to Postgres before it is
    acknowledged.
    """

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the change to the journal, also writes it to Postgres at once, and drops the cached profile. Returns
        the outcome of the journal. If its status says that nothing was appended, nothing is written to Postgres.

        Raises PostgresDown, and appends nothing, if Postgres takes no writes. Raises RedisDown or PostgresDown if a
        store fails meanwhile; the call can then be repeated, and writes the same change. The worker that reads the
        journal entry drops the cached profile again, in case this process dies before it does.
        """
        partition = state.keys.partition_of(actor_id)
        async with state.postgres.transaction() as transaction:
            await partition_leases.lock(transaction, partition)  # Postgres must take writes before the journal does
        outcome = await ModerationStep.journal(self, state, actor_id, operation)
        if outcome.value:
            fields = {b"kind": self.kind.encode(), b"data": self.data}
            await apply_early(state, Entry(partition, version_of(outcome.value), fields))
            await state.cache.drop({users.cache_key(self.ref.entity_id)})
        return outcome
