"""A system whose moderation leaves alone what tests publish quickly."""

from tests.posts.conftest import system

__all__ = ["system"]
