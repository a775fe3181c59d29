"""Connections to Postgres for migrations and tools, and the migrations themselves."""
