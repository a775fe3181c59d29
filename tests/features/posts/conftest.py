"""A system whose moderation leaves alone what tests publish quickly; those of moderation ask for another."""

from tests.support.fixtures import system

__all__ = ["system"]
