"""Redis: connections, pipelines, clusters, outages."""

import dependencies.redis  # noqa: F401 - before redis-py, so that redis-py does not load its metrics
