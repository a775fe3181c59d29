"""The number of partitions in tests, and the mark of tests that run on one Redis server only."""

import pytest

PARTITIONS = 4
standalone = pytest.mark.parametrize("redis_mode", ["standalone"], indirect=False)
"""Marks tests whose subject does not depend on Redis's mode."""
