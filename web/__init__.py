"""What a browser is served: GraphiQL, from our own files and nobody else's."""
