"""Persisted operations: their texts, the versions of clients that have them, and their use."""
