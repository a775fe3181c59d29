"""Reconciliation (W9): compares derived values with the rows that they are derived from, and repairs differences.

A value that differs from its rows drifts. `run.py` counts by kind how many keys were compared and how many drift. Each
module declares which values are derived from which rows; docs/operate/reconcile.md lists the parts. Rows are compared
first, then counters, which count rows, then caches, which copy both.

**Comparing** takes no locks, and reports no false drift while workers write. One statement compares a batch of keys, so
it sees one snapshot. Rows and derived values change in one transaction, so they agree in every snapshot. Caches follow
their rows a little later, so a cached copy drifts only if it disagrees twice without a change (`cached.py`).

**Repairing** loses no concurrent change and counts none twice. One transaction repairs a batch of keys: it locks the
derived values, then recomputes them. The statement that recomputes begins when all locks are held, and sees everything
committed by then (READ COMMITTED). A worker's transaction changes rows first and counters last. At that
time, there are three cases for a worker's transaction:

- It has committed: we see its rows, and it will change nothing more.
- It has changed rows, but no counter yet: we do not see its rows, and it will add its delta to the value that we write.
- It has changed a counter: we wait for its lock, and then it is the first case.

Where workers write absolute values (lists of follows, outboxes, the index of comments), they hold the lock of the row
from which these are derived. We lock the same row, so the value cannot change between reading and writing.

If there is no row to lock, we insert a neutral one: a counter of 0, or a pair of users without follows. One statement
inserts and locks, in the order of keys that workers use too, so there are no deadlocks. (Inserting all missing rows
first could deadlock: we would hold a later row while we wait for an earlier one.) If a run is stopped, complete batches
are repaired, and the others are unchanged.

A repaired counter gets a higher version, so that it replaces published copies. Its watermark (docs/adr/0001) is set to
the head of every partition, read by the statement that recomputes. Heads move in the same transaction as rows, so the
value includes exactly the changes up to there.
"""
