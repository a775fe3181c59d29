"""Deletes accounts whose time has come: begins, undoes what the users have done, removes rows, and finishes."""
