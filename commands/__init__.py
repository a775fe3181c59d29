"""Mutations: each command checks the caller and the input, then runs one atomic script or one transaction. No GraphQL
here.
"""
