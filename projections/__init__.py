"""Projections: journal entries become rows and counters. Workers run them, and the API does while Redis is down."""
