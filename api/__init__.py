"""How requests get in: transports, GraphQL over HTTP, limits, and the one place that executes an operation."""
