"""A system with lenient moderation, so that tests can write quickly. Tests of moderation start a stricter one."""

from tests.support.fixtures import live, system

__all__ = ["live", "system"]
