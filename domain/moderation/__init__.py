"""Moderation: decides whether new posts, comments, profile texts and collection names may be shown, and gives reasons.

Five rules decide at once: `spam` (the author's recent submissions), `velocity` (networks and devices), `reputation`
(earlier decisions), `word_list` (the text) and `premoderation` (topics, businesses and new accounts that a moderator
must approve). `pipeline` runs all of them. Afterwards, workers/external_reviewer.py can ask an external service. This
package uses no store: workers pass it what is known about the author, and store its verdicts.
"""
