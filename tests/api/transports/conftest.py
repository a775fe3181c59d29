"""Fixture: a server on a port."""

from tests.support.fixtures import live

__all__ = ["live"]
