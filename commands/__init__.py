"""The code behind the GraphQL mutations. Each command checks the caller and the input, then makes its change in one
atomic Redis script or one Postgres transaction. The GraphQL types are in `schema/`.
"""
