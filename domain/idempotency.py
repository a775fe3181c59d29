"""The lives of idempotency records: for how long a repeated write gets its first outcome again.

The keys of new posts and comments are also stored in the table `claims`, for `idempotency_days`
(settings/retention.py). Of the records of one user, or of all anonymous devices of a network, 1000 in an hour live as
long as is stated here. Further ones live for a minute (store/scripts/idempotency_life.lua).
"""

LIFE_HOURS = 24
"""For a user: a day, so that a client that was offline overnight can repeat its writes."""
ANONYMOUS_LIFE_HOURS = 1
"""For an anonymous device. A client can invent any number of devices, and only the rate limit of its address bounds the
number of records.
"""
LIFE_MS, ANONYMOUS_LIFE_MS = LIFE_HOURS * 3_600_000, ANONYMOUS_LIFE_HOURS * 3_600_000
RETRIES_LIFE_MS = 60_000
"""For a write without a key, whose record serves only the API's own retries. A record with this life, or a shorter one,
is not among the 1000.
"""
