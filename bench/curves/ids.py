"""The ids of the rows of the curves. Each kind has a range of its own."""

from typing import Final

USERS: Final = 10**18
POSTS: Final = USERS + 10**10
COMMENTS: Final = USERS + 2 * 10**10
ENTITIES: Final = USERS + 3 * 10**10
FANS: Final = USERS + 4 * 10**10
VIEWERS: Final = USERS + 5 * 10**10
STAR: Final = USERS + 6 * 10**10
"""The account whose number of followers grows."""

HANDLE: Final = "g"
"""The prefix of the handles of users and of the keys of entities. A number follows it."""
TOPICS: Final = 100
"""The number of topics. Each post is in one of them, and in the square."""
EACH: Final = 10
"""Reactions of each user. A tenth of these are on the most popular post, which is the first one."""
WRITTEN: Final = 2
"""Posts, comments and notifications of each user."""
FOLLOWED: Final = 5
"""Accounts that each user follows."""
STRIDE: Final = 7919
"""A prime number. Its multiples choose targets that differ, all over a range."""


def topic_name(number: int) -> str:
    """Returns the name of a topic."""
    return f"topic{number}"
