"""Fixture: a system with lenient moderation, in which new users may post links."""

from tests.support.fixtures import system

__all__ = ["system"]
