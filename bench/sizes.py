"""How much is measured."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """The defaults keep a section to a minute or so on two cores."""

    users: int = 1000
    entities: int = 1000
    hot_entities: int = 100
    """Each is liked by every user once."""
    connections: int = 32
    rounds: int = 5
    """Counted turns of each side; one more warms both up."""
    round_seconds: float = 1.5
    backlog: int = 10_000
    """Reactions in the journals at the beginning of each turn of the worker."""
    page_entities: int = 50
    page_connections: int = 8
    page_likers: int = 20
    page_people: int = 20
    page_followers: int = 6
    """Of each of them; the page shows five."""
    home_posts: int = 20
    """On the page; the viewer follows so many authors, of two posts each."""
    commented_posts: int = 20
    """On the page; each shows three of its comments."""
    remarks: int = 5
    """Of each of them."""
    thread: int = 100_000
    """Comments on one thing."""
    deep_page: int = 100
    """Of them, with twenty on each."""
    stored_reactions: int = 2_000_000
    followings: int = 2000
    big_accounts: int = 20
    raced_followers: int = 5000
    """Of the author whose posts are fanned out in turn with bare commands."""
    followers: int = 20_000
    """Of the author whose posts are watched on their way."""
    watched_posts: int = 5
    step_seconds: float = 5.0
    """For which more is asked than can be answered."""
    paced_per_second: float = 100.0
    paced_seconds: float = 10.0
    attack_seconds: float = 10.0
    """For which each attack lasts."""
