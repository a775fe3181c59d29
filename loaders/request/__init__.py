"""The loaders of one request. A loader keeps what it has loaded until the request ends.

| object | what it loads |
|---|---|
| `lists` | pages of lists, equal for all viewers |
| `own` | what the viewer has done, and counters and lists with the viewer's pending changes |
| `content` | users, entities, posts, comments and topics as the viewer may see them |

`content` uses `own`, and both use `lists`.
"""
