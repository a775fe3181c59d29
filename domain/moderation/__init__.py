"""Moderation: decides about submissions and gives reasons.

`risk` (the author's recent behaviour) and `words` (the text) decide at once; `reviewer` asks an external service;
`pipeline` puts them in order. This package uses no store: workers supply histories and store verdicts.
"""
