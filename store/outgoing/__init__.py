"""Outgoing events: the events that transactions write, the destinations, and how far each destination is."""
