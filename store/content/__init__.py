"""Entities, posts, topics and comments: their rows in Postgres, their settings, their authors' changes that are not
published yet (patches), and the cached lists and home timelines (inboxes) that contain them.
"""
