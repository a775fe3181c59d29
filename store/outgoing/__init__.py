"""Outgoing events: the outbox that transactions write, the destinations, and how far each destination is."""
