"""Serves requests: transports, GraphQL over HTTP, limits, and the module that runs operations."""
