"""Identity: what a verified token says about a person."""
