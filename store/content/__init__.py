"""Entities, posts, comments, and the lists that contain them."""
