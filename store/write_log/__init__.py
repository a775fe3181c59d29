"""The write log, to which commands append changes: journals, leases on their partitions and on node numbers, pending
changes, idempotency records, claims, dead letters, and the write mode.
"""
