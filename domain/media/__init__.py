"""Images that people show: which URLs may be posted, how they are signed, and what a proxy is told (docs/media.md)."""
