"""Access to Postgres and Redis. Only this package contains SQL, Redis keys and Lua scripts."""
