"""Persisted operations, GraphQL operations that clients request by id or hash: texts, client versions, and usage."""
