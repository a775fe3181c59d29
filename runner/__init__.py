"""Real servers and a whole running Plaudit on one machine, for development and tests.

Nothing here knows the domain: it starts programs, waits until they are ready, restarts them and stops them. Whatever
it starts dies with the process (on Linux: with the very thread) that started it, even if that is killed with SIGKILL.
"""
