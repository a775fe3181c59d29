"""Outgoing events: their kinds, the events that transactions write, the destinations, the position of each destination,
and the removal of old events.
"""
