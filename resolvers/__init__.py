"""Resolvers: they return domain rows from loaders and commands. They know no GraphQL types."""
