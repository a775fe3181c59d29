"""Writes: check who asks and what for, then one atomic script or one transaction. Nothing here knows GraphQL."""
