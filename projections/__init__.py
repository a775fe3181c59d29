"""Projections: write journal entries to rows and counters. Workers run them; API processes run them while Redis is
down.
"""
