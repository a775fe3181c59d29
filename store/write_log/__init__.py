"""The journal, pending changes, idempotent operations, and where writes go."""
