"""Hand-written pages and likes: the baseline of several sections.

They receive the requests of the API, send the same Redis commands in as many round trips, and answer with the same
data. The code between is as direct as Python allows. They raise an error if a value is not cached.
"""
