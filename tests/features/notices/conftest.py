"""A system with lenient moderation, so that tests can publish quickly."""

from tests.support.fixtures import system

__all__ = ["system"]
