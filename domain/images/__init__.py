"""Images: which image URLs posts, comments and profiles may show, how Plaudit signs these URLs, and how a proxy
verifies the signatures (docs/build/images.md).
"""
