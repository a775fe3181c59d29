"""What Plaudit costs, as ratios against hand-written code that does the same work on the same machine.

`python -m bench` starts private servers (durable, as in production), measures section by section, and prints a table.
Absolute figures of two machines cannot be compared, and on a shared machine not even those of two minutes. So ours and
the baseline take turns within one run, and what counts is the ratio of neighbouring turns.
"""
