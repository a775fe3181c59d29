"""Fixtures of the tests of exports."""

from tests.support.fixtures import live, system

__all__ = ["live", "system"]
