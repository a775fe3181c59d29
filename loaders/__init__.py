"""Reads, batched. A loader answers all keys of one tick with one trip to Redis, and one query for the rest."""

from loaders.request import Loaders

__all__ = ["Loaders"]
