"""Projections: code that turns journal entries into rows and counter changes. Workers run it. While Redis is down, API
processes run it.
"""
