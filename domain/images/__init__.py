"""Images: which URLs posts may show, how URLs are signed, and how a proxy verifies them (docs/build/images.md)."""
