"""Outgoing events, which tell webhooks and Redis streams (destinations) about changes: the kinds of events, the events
that transactions write, the destinations, the position of each destination, and the removal of old events.
"""
