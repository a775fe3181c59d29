"""Imports reposts."""

from collections import Counter
from collections.abc import Sequence

from archive.importing.known import Known
from archive.importing.patience import patiently
from archive.importing.run import REJECTED, Import, Item
from archive.records import Repost
from models.counters import CounterKind, EntityRef
from settings import POSTS
from store.reactions import reposts
from store.reactions.counts import CounterDeltas
from store.reactions.reposts import RepostRow


async def store(run: Import, items: Sequence[Item[Repost]]) -> None:
    """Imports a chunk of reposts."""
    records = [record for _, record in items]
    known = await run.library.known([one.user for one in records], [one.target for one in records])
    rows: dict[tuple[int, int], RepostRow] = {}
    for item in items:
        record = item.record
        try:
            ref, owner_id = known.target(record.target)
            row = (known.user(record.user), ref.entity_id, owner_id, True, run.version(record.created_at))
        except REJECTED as error:
            run.reject(item, error)
            continue
        if row[:2] not in rows or rows[row[:2]][4] < row[4]:
            rows[row[:2]] = row
    if not run.is_check:
        await patiently(lambda: _write(run, known, sorted(rows.values())))
        run.score({EntityRef(POSTS, post) for _, post in rows})


async def _write(run: Import, known: Known, rows: Sequence[RepostRow]) -> None:
    async with run.writing(known) as transaction:
        changed = await reposts.write(transaction, rows)
        places = [(user, post) for user, post, *_ in changed]
        await reposts.mark_pulled(transaction, places, run.state.settings.push_follower_limit)
        counts = Counter(EntityRef(POSTS, post) for _, post, was, _ in changed if not was)
        deltas = CounterDeltas({})
        for ref, delta in counts.items():
            deltas.add(ref, CounterKind.REPOSTS, delta)
        await deltas.write(transaction)
