"""The projections: one module for each kind of journal entry, or for a few kinds that are applied together. To add a
projection, add a module with a `PROJECTION`. Its `rank` says after which other projections it runs.
"""
