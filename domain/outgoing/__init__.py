"""Outgoing events as destinations get them. The JSON Schemas in docs/events are made from these classes."""
