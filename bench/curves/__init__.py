"""Measures what actions cost, by the number of rows that Postgres has, and by the number of followers of one account.

`rows.py`, `viewers.py` and `followers.py` write the rows with SQL, `actions.py` and `followers.py` run the actions,
`cost.py` reads what each has cost, `measure.py` goes through all sizes, and `draw.py` draws the curves.
"""
