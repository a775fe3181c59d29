"""A system with lenient moderation, in which no account counts as new, so that tests can publish quickly."""

from tests.support.fixtures import system

__all__ = ["system"]
