"""Persisted operations: clients send an id from a manifest, or the hash of a text that a client has registered.

Input: a `GraphQLRequest`. Output: the text to execute, or an error that tells the client what to do. An id or hash
always means the same text. Texts that clients register take a bounded amount of memory and are not trusted.
"""
