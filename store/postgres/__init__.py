"""Postgres: the client, statements that differ on Citus, the distribution of tables, and facts about the server."""
