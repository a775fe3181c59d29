"""The sizes of the data and of the measurements of all benchmarks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of all sections. With the defaults, most sections take about a minute on two cores, and `fleet` ten."""

    users: int = 1000
    entities: int = 2000
    hot_entities: int = 100
    """The number of hot entities. Every user can like each of them once."""
    connections: int = 32
    rounds: int = 5
    """The number of rounds that count. One round before them fills caches."""
    round_seconds: float = 1.5
    backlog: int = 40_000
    """The number of reactions in the journals at the beginning of each round of the worker. A worker publishes 12,000
    together, so with a short backlog mostly the last publication would be measured.
    """
    distributed_backlog: int = 4000
    """The backlog in the section `distributed`, which also fills the caches of all liked entities from every shard."""
    page_entities: int = 50
    page_connections: int = 8
    page_likers: int = 20
    page_people: int = 20
    page_followers: int = 6
    """The number of followers of each person on the page of users. The page shows five of them."""
    home_posts: int = 20
    """The number of posts on the home page. The viewer follows as many authors, who have two posts each."""
    commented_posts: int = 20
    """The number of posts on the page of the section `comments`. Each post shows three comments."""
    remarks: int = 5
    """The number of comments that each of these posts has."""
    thread: int = 100_000
    """The number of comments on the entity of the section `thread`."""
    deep_page: int = 100
    """The number of the page that the section `thread` compares with page 1. A page has twenty comments."""
    readers: int = 40
    """The number of viewers of the square in the section `peers`."""
    likers: int = 40
    """The number of users who like in one turn of the section `peers`. Each turn has other users."""
    liked_entities: int = 500
    wrk_connections: int = 16
    wrk_seconds: int = 3
    """The number of seconds of a turn of the load generator wrk."""
    stored_reactions: int = 2_000_000
    followings: int = 2000
    big_accounts: int = 20
    raced_followers: int = 5000
    """The number of followers of the author for whom the section `fanout` compares a fan-out with plain commands."""
    followers: int = 20_000
    """The number of followers of the author for whom the section `fanout` measures when followers have a post."""
    watched_posts: int = 5
    step_seconds: float = 5.0
    """The number of seconds of overload in the section `overload`."""
    paced_per_second: float = 100.0
    paced_seconds: float = 10.0
    changes_per_second: float = 100.0
    """The number of likes per second of shown posts in the section `variety`, while the page is read."""
    pending: int = 50
    """The number of pending changes of a viewer in the section `variety`."""
    operations: int = 1000
    """The number of stored operations in the section `variety`."""
    busy_users: int = 200
    busy_per_second: float = 200.0
    busy_seconds: float = 6.0
    """The number of seconds of each turn of the section `busy` that are measured, after as many that are not."""
    fleet: int = 4
    """The greatest number of API processes, and of workers, in the section `fleet`."""
    fleet_seconds: float = 3.0
    """The number of seconds of a turn of the section `fleet`."""
    fleet_backlog: int = 20_000
    """The number of reactions in the journals at the beginning of each turn of the workers of the section `fleet`."""
    filtered: int = 1_000_000
    """The number of reactions in the Bloom filter of the section `claims`, and of the users that it spreads over
    partitions.
    """
    second_degree: tuple[int, ...] = (50, 500)
    """The numbers of accounts that each user follows, in two groups of users of the section `claims`."""
    second_degree_rows: int = 2_000_000
    """The number of follows in each of these groups."""
    searched: tuple[int, ...] = (1000, 10_000, 100_000)
    """The numbers of indexed posts at which the section `search` measures."""
    imported_reactions: int = 200_000
    """The number of reactions that each round of the section `importing` imports."""
    searched_users: int = 1_000_000
    """The greatest number of users in the section `user-search`."""
    attack_seconds: float = 10.0
    """The number of seconds of each attack in the section `bystander`."""
    members: tuple[int, ...] = (10_000, 100_000)
    """The numbers of users in the communities of the section `suggestions`. A million takes about 5 GB."""
    account: float = 1.0
    """The size of the account in the section `deletion`: 1 stands for 60,000 reactions, 6,000 posts and 6,000
    comments.
    """
    account_seconds: float = 3.0
    """The number of seconds of each window in which the section `deletion` measures the requests of other users."""
