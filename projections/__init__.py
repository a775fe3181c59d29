"""Projections: code that turns journal entries into rows and counter changes. Workers run it; API processes run it
while Redis is down.
"""
