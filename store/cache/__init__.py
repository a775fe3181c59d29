"""Cached values and lists, which can be rebuilt from Postgres."""
