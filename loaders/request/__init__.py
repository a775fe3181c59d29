"""The loaders of one request. A loader keeps what it has loaded. After a write, and before each event of a
subscription, the request gets new loaders.

| object | what it loads |
|---|---|
| `lists` | pages of lists, equal for all viewers |
| `own` | what the viewer has done, and counters and lists that include the viewer's latest changes |
| `content` | users, entities, posts, comments and topics as the viewer may see them |

`content` uses `own`, and both use `lists`.
"""
