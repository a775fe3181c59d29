"""The transports of requests and responses: HTTP, server-sent events, WebSocket. All of them call api/execute.py."""
