"""Postgres: statements and transactions."""
