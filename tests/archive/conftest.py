"""Fixtures of the tests of archives."""

from tests.support.fixtures import system

__all__ = ["system"]
