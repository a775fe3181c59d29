"""Benchmarks: compare Plaudit with hand-written code that does the same work on the same machine, as ratios.

`python -m bench` starts private servers that store changes as durably as in production. It runs the benchmarks one by
one, which are called sections, and prints a table. Absolute figures of different machines cannot be compared, and on a
shared machine not even those of different minutes. Therefore Plaudit and the code that it is compared with (the
baseline) take turns in one run, and the result is the ratio of neighbouring rounds.

Terms of the sections: a page is the response to a query for a screen of an app. A plan is an operation that Plaudit has
compiled; without plans, the library graphql-core executes it. The square is the list of all public posts. A change is
pending while it is acknowledged but some cached values may lack it.
"""
