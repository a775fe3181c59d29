"""The way in for requests: transports, GraphQL over HTTP, limits, and the module that runs an operation."""
