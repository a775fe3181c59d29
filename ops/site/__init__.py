"""The docs as a site that can be read without a connection."""
