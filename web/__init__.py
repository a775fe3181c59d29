"""Pages for the browser: GraphiQL, the demo app and the moderation console. Served from files of this package only."""
