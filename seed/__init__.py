"""A lively community to look at: people with interests, what they write, whom they follow, what they like.

`community.py` makes it up, the same one each time, of `people.py`, `writing.py`, `relations.py` and the phrases in
`phrases.toml`; `loading.py` gets it into a deployment. Nothing but `plaudit seed` writes any of it.
"""
