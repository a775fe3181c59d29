"""A server on a port, which clients connect to."""

from tests.support.fixtures import live

__all__ = ["live"]
