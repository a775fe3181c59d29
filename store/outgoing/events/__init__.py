"""The kinds of outgoing events, one file for each feature. The JSON Schemas in docs/events are made from the classes.

`store/outgoing/registry.py` finds the kinds in these files.
"""
