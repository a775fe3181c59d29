"""Entities, posts, topics and comments: their rows, settings and patches, and the lists and inboxes that contain
them.
"""
