"""Workers write journal entries to Postgres, and publish what changed to the caches.

`partitions` (which worker owns which journal) → `persist` (one transaction per batch) → `publish` (reads values back
and caches them) → `sweep` (removes published changes from the pending sets, then from the journal). Every step may be
repeated.
"""
