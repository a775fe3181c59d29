"""How requests and their answers travel: HTTP, server-sent events, WebSocket. All of them lead to the one door."""
