"""Postgres: the client, statements that differ on Citus, the distribution of tables, and the settings of the server."""
