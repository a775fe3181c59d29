"""Serves GraphQL requests: reads them from a transport, applies limits, runs the operations and sends responses."""
