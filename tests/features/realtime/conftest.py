"""A server on a port, to which clients connect."""

from tests.support.fixtures import live

__all__ = ["live"]
