"""Fixtures: a store of files, and a system whose users upload to it."""

from tests.support.fixtures import file_store, uploading

__all__ = ["file_store", "uploading"]
