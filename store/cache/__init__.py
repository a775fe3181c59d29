"""Values and lists that can be rebuilt from Postgres."""
