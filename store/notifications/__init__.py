"""Notifications: the untold events that batches write, their delivery, and how users read them."""
