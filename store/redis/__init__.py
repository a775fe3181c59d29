"""Redis: connections, pipelines, clusters, outages."""

import sys

if "opentelemetry" not in sys.modules:
    # If redis-py finds OpenTelemetry, it loads its metrics module. It takes 5 MB, and Plaudit does not use it.
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    import redis.asyncio

    del sys.modules["opentelemetry"], redis
