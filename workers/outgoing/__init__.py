"""Sends outgoing events to their destinations, outside of the batches: a slow destination delays no write."""
