"""Batched reads: all keys that a loader is asked for in one turn of the event loop are read together.

One round trip to Redis reads them, and one query reads those that are not cached.
"""
