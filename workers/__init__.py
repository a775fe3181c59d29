"""Workers: from the journals into Postgres, and from there to everybody's caches.

`partitions` (who owns which journal) → `persist` (one transaction per batch) → `publish` (absolute values read back)
→ `sweep` (what everybody can see leaves the pending sets, then the journal). Every step may be repeated.
"""
