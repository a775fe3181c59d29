"""The ids of the rows that the curves write. Each kind of row has a range of ids of its own."""

from typing import Final

USERS: Final = 10**18
POSTS: Final = USERS + 10**10
COMMENTS: Final = USERS + 2 * 10**10
ENTITIES: Final = USERS + 3 * 10**10
FANS: Final = USERS + 4 * 10**10
VIEWERS: Final = USERS + 5 * 10**10
STAR: Final = USERS + 6 * 10**10
"""The id of the account whose number of followers grows."""

HANDLE: Final = "g"
"""The prefix of users' handles and of entities' keys. A number follows it."""
TOPICS: Final = 100
"""The number of topics. Each post is in one of them, and in the square."""
EACH: Final = 10
"""The number of reactions of each user. One of these is to the most popular post, which is the first one."""
WRITTEN: Final = 2
"""The numbers of posts, of comments and of notifications of each user."""
FOLLOWED: Final = 5
"""The number of accounts that each user follows."""
STRIDE: Final = 7919
"""A prime number. Its multiples, modulo the number of objects, choose different objects all over a range."""


def topic_name(number: int) -> str:
    """Returns the name of the topic with this number."""
    return f"topic{number}"
