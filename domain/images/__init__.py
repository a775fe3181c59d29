"""Images: which URLs posts, comments and profiles may show, how they are signed, and how a proxy verifies them
(docs/build/images.md).
"""
