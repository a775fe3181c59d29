"""Deletes accounts that are due, and erases entities: undoes what users have done, removes rows, and finishes."""
