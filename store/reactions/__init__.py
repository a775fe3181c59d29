"""Likes, counters, leaderboards, views and shares."""
