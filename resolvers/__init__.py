"""Resolvers: functions that answer GraphQL fields with domain rows from loaders and commands. They do not import
GraphQL types.
"""
