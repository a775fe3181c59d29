"""The two stores. Nothing above this package sees a key, a script, or a line of SQL."""
