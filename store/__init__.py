"""Access to Postgres and Redis. Only this package contains Redis keys, Lua scripts and the SQL of requests and workers.
The SQL that creates tables is in `models/` and `alembic/`.
"""
