"""A system with lenient moderation."""

from tests.support.fixtures import system

__all__ = ["system"]
