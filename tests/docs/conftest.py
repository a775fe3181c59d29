"""Fixtures of the tests that follow pages of the documentation."""

from tests.support.fixtures import live

__all__ = ["live"]
