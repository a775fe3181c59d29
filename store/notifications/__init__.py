"""Notifications: the events that batches store for them (untold events), the delivery of these events as notifications,
the kinds that users do not want, and how users read notifications.
"""
