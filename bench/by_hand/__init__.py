"""Pages and likes as one would write them by hand. The baseline of the sections `page` and `mutation`.

They get the requests that the API gets, send the same commands to Redis in as many round trips, and answer with the
same data; everything in between is as direct as Python allows. They refuse to be measured on what is not cached.
"""
