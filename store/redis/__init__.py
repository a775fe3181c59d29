"""Redis: connections, pipelines, clusters, outages, subscriptions, and commands to single servers for checks."""

import dependencies.redis  # noqa: F401 - before redis-py, so that redis-py does not load its metrics
