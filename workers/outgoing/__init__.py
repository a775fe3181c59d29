"""Sends outgoing events to their destinations (webhooks and Redis streams), in tasks of their own: a slow destination
delays no write.
"""
