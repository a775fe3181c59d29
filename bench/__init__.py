"""Benchmarks: Plaudit against hand-written code that does the same work on the same machine, as ratios.

`python -m bench` starts private servers with production durability, measures section by section, and prints a table.
Absolute figures of different machines cannot be compared, and on a shared machine not even those of different minutes.
Therefore Plaudit and the baseline alternate in one run, and the result is the ratio of neighbouring rounds.
"""
