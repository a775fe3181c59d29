"""A system whose moderation leaves alone what tests write quickly; those of moderation ask for another."""

from tests.support.fixtures import live, system

__all__ = ["live", "system"]
