"""The stores that tests run on."""

import pytest

PARTITIONS = 4
standalone = pytest.mark.parametrize("redis_mode", ["standalone"], indirect=False)
"""For tests about something that Redis's mode cannot change."""
