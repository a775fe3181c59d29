"""Reconciliation: the SQL and Redis commands that find and correct derived values that differ from their rows."""
