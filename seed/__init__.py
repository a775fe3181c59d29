"""A lively community to look at: people with interests, what they write and say about it, whom they follow, what they
like.

`community.py` makes it up, the same one each time, of `people.py`, `writing.py`, `comments.py`, `relations.py` and the
phrases in `phrases.toml` and `remarks.toml`; `loading.py` gets it into a deployment. Nothing but `plaudit seed` writes
any of it.
"""
