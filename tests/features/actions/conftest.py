"""Keeps every test within one hour, in which views count once."""

from tests.support.actions import not_at_the_end_of_an_hour

__all__ = ["not_at_the_end_of_an_hour"]
