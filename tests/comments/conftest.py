"""A system whose moderation leaves alone what tests write quickly; those of moderation ask for another."""

from tests.posts.conftest import system

__all__ = ["system"]
