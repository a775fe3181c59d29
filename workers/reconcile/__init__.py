"""Reconciliation (W9): what is derived, compared with the rows it follows from, and put right.

Enters: nothing but the stores. Leaves: how much was compared and how much of it drifts, by kind (`run.py`). A module
per noun declares what follows from what; docs/operate/reconcile.md has the table. Rows come first, then counters, which
count them, then caches, which copy both.

**Comparing** takes no locks and finds nothing that is not there while workers write. A batch of keys is compared by one
statement, which sees one moment; rows and what is derived from them change in one transaction, so at every moment they
agree. Caches follow their rows a little later: of these only what disagrees twice, unchanged, is drift (`cached.py`).

**Repairing** loses no change that is under way and counts none twice. A batch of keys is one transaction: it locks
what it repairs, then recomputes. The statement that recomputes begins when all locks are held, and sees (READ
COMMITTED) all that was committed by then. Of a worker's transaction, which changes rows first and counters last:

- it has committed: its rows are seen, and nothing of it is still to come;
- it has changed rows, and waits for our lock or has yet to ask for it: its rows are not seen, and its delta is added to
  what we write;
- it has changed a counter, too: then we wait for its lock, and it is the first case.

Where workers write absolute values (lists of follows, outboxes, the index of comments), they hold the lock of the
row that these follow from, and so do we: what is recomputed cannot change before it is written.

What has no row to lock is given one that says nothing: a counter of 0, a pair who never followed each other. One
statement does both, in the order of keys, which is that of workers, so that nobody waits in a circle: who made the
missing first would hold the last of them while waiting for one before.
Who stops a run leaves whole batches repaired and the others as they were.

A repaired counter gets a version beyond the one it had, so that it replaces published copies. What it includes
(docs/adr/0001) is said anew: of every partition its head, read by the statement that recomputes. Heads move with the
rows, so exactly the changes up to there are in the value.
"""
