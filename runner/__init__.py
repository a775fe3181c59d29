"""Runs real Postgres and Valkey servers, and a whole Plaudit, on one machine, for development and tests.

This package knows nothing about posts and users: it starts programs, waits until they are ready, restarts them and
stops them. Each program ends when the process that started it ends, even if that process is killed with SIGKILL. On
Linux, it also ends when the thread that started it ends.
"""
