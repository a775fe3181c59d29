"""Demo data: a community of invented people with interests, posts, comments, follows, likes, reposts and reports.

`community.py` generates the data, identical in every run, with `people.py`, `writing.py`, `comments.py`,
`relations.py`, `reports.py` and the phrases in `phrases.toml` and `remarks.toml`. `loading.py` loads the data into a
deployment. Of all programs, only `plaudit seed` writes this data. `pictures.py` serves avatars and photos, which
`portraits.py` and `scenes.py` draw.
"""
