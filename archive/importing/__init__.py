"""Imports archives. The lines are split by kind, so that what a record refers to is imported before it, whatever the
order of the lines is.

An import writes rows only, with the code that workers use: no journal entry, notification, outgoing event or fan-out.
Each chunk of lines is one transaction, with its counters. A row has the version of its time in the archive, so a change
that a user has made since wins. Cached copies are corrected at the end (cli/importing.py).
"""
