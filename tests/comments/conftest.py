"""A system whose moderation leaves alone what tests write quickly; those of moderation ask for another."""

from tests.posts.conftest import system
from tests.realtime.conftest import live

__all__ = ["live", "system"]
