"""Notifications: the untold events that batches write, their delivery, the kinds that users do not want, and how users
read notifications.
"""
