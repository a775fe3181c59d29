"""The sizes of the benchmarks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of all sections. With the defaults a section takes about a minute on two cores."""

    users: int = 1000
    entities: int = 1000
    hot_entities: int = 100
    """Hot entities. Every user likes each of them once."""
    connections: int = 32
    rounds: int = 5
    """Counted rounds of each side, after one that warms caches."""
    round_seconds: float = 1.5
    backlog: int = 10_000
    """Reactions in the journals at the beginning of each round of the worker."""
    page_entities: int = 50
    page_connections: int = 8
    page_likers: int = 20
    page_people: int = 20
    page_followers: int = 6
    """Followers of each person on the page of people. The page shows five of them."""
    home_posts: int = 20
    """Posts on the home page. The viewer follows as many authors, with two posts each."""
    commented_posts: int = 20
    """Posts on the page of comments. Each shows three comments."""
    remarks: int = 5
    """Comments of each post on that page."""
    thread: int = 100_000
    """Comments on one entity."""
    deep_page: int = 100
    """The number of the deep page. A page has twenty comments."""
    stored_reactions: int = 2_000_000
    followings: int = 2000
    big_accounts: int = 20
    raced_followers: int = 5000
    """Followers of the author whose fan-out is compared to plain commands."""
    followers: int = 20_000
    """Followers of the author whose posts are timed."""
    watched_posts: int = 5
    step_seconds: float = 5.0
    """Seconds of overload."""
    paced_per_second: float = 100.0
    paced_seconds: float = 10.0
    attack_seconds: float = 10.0
    """Seconds of each attack."""
