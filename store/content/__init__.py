"""Entities, posts, comments, and the lists that hold them."""
