"""Redis: connections, pipelines, clusters, outages."""
