"""Redis: connections, pipelines, clusters, outages."""

import sys

if "opentelemetry" not in sys.modules:
    # If OpenTelemetry is installed, redis-py loads its metrics, which nobody uses here and which take 5 MB.
    sys.modules["opentelemetry"] = None  # type: ignore[assignment]
    import redis.asyncio

    del sys.modules["opentelemetry"], redis
