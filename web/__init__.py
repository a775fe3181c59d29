"""GraphiQL for the browser, served from files of this package only."""
