"""The sizes of the benchmarks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of all sections. With the defaults most sections take about a minute on two cores, and `fleet` ten."""

    users: int = 1000
    entities: int = 2000
    hot_entities: int = 100
    """Hot entities. Every user likes each of them once."""
    connections: int = 32
    rounds: int = 5
    """Counted rounds of each side, after one that warms caches."""
    round_seconds: float = 1.5
    backlog: int = 40_000
    """Reactions in the journals at the beginning of each round of the worker. A worker publishes 12,000 together, so a
    short backlog would measure mostly its last publication.
    """
    distributed_backlog: int = 4000
    """The backlog of the section `distributed`, which also fills the caches of all liked entities from every shard."""
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
    readers: int = 40
    """Viewers of the square in the section `peers`."""
    likers: int = 40
    """Users who like in one turn of the section `peers`. Each turn has other users."""
    liked_entities: int = 500
    wrk_connections: int = 16
    wrk_seconds: int = 3
    """Seconds of a turn of the load generator wrk."""
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
    changes_per_second: float = 100.0
    """Likes of shown posts in the section `variety`, while the page is read."""
    pending: int = 50
    """Pending changes of a viewer in that section."""
    operations: int = 1000
    """Stored operations in that section."""
    busy_users: int = 200
    busy_per_second: float = 200.0
    busy_seconds: float = 6.0
    """Seconds of each turn of the section `busy` that are measured, after as many that are not."""
    fleet: int = 4
    """The most API processes and workers in the section `fleet`."""
    fleet_seconds: float = 3.0
    """Seconds of a turn of that section."""
    fleet_backlog: int = 20_000
    """Reactions in the journals at the beginning of each turn of its workers."""
    filtered: int = 1_000_000
    """Reactions in the Bloom filter of the section `claims`, and users in the partitions."""
    second_degree: tuple[int, ...] = (50, 500)
    """Accounts that each user follows, in two populations of that section."""
    second_degree_rows: int = 2_000_000
    """Rows of each population."""
    attack_seconds: float = 10.0
    """Seconds of each attack."""
