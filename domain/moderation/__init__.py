"""Moderation: what is submitted enters, a verdict with its reason leaves.

`risk` (what the author has been doing) and `words` (what the text has) judge at once, `reviewer` asks a service of
somebody else's; `pipeline` puts them in order. Nothing here knows a store: workers bring histories and keep verdicts.
"""
