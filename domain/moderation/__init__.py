"""Moderation: decides about submissions and gives reasons.

`spam` (the author's recent behaviour) and `word_list` (the text) decide at once. `pipeline` runs both.
workers/external_reviewer.py asks an external service afterwards. This package uses no store: workers supply histories
and store verdicts.
"""
