"""Makes this fixture available."""

from tests.support.fixtures import system

__all__ = ["system"]
