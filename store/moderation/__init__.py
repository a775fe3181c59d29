"""Submissions, reviews and the moderation queue."""
