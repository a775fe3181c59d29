"""Deletes accounts that are due: begins, undoes what the users have done, removes rows, and finishes."""
