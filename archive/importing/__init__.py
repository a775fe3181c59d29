"""Imports archives. An import first splits the lines of the archives by kind (spool.py). Then it imports one kind after
the other (kinds.py), so that users exist before their posts, and posts before their comments. The order of the lines in
the archives does not matter.

An import writes rows with the functions that workers use. It appends no journal entries, notifies nobody, and puts no
posts into inboxes. It writes outgoing events only on request. The records are written in chunks. Each chunk is one
transaction, which also changes the counters. The version of a row is made from the time of the record, so a newer
change by a user stays. At the end, cached copies are removed (caches.py).
"""
