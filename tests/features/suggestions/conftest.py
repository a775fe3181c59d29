"""A system with lenient moderation, so that tests can publish quickly. Tests of moderation start a stricter one."""

from tests.support.fixtures import system

__all__ = ["system"]
