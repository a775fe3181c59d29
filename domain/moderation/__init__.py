"""Moderation: decides about submissions and gives reasons.

The rules decide at once: `spam` (the author's recent submissions), `velocity` (networks and devices), `reputation`
(earlier decisions), `word_list` (the text) and `premoderation`. `pipeline` runs all of them.
workers/external_reviewer.py asks an external service afterwards. This package uses no store: workers supply histories
and store verdicts.
"""
