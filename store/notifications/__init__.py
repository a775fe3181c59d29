"""Notifications: the outbox that batches write, their delivery, and how users read them."""
