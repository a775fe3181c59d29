"""Workers write journal entries to Postgres, and publish the changed values to the caches.

`ownership` (which worker processes which journal) → `persist` (one transaction per batch) → `publish` (reads the
changed values back and caches them) → `published_changes` (removes published changes from the users' pending changes,
then from the journal). Every step may be repeated.
"""
