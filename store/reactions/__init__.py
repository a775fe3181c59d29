"""Likes and dislikes, saves, collections, counters, leaderboards, and counted actions such as views and shares."""
