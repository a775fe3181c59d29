"""Hand-written pages and likes: the code with which several sections compare Plaudit.

It receives the requests of the API, sends the same Redis commands in as many round trips, and answers with the same
data. The code between is as direct as Python allows. It raises an error if a value is not cached.
"""
