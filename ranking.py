"""Ranking: every formula there is, pure, with its source. docs/ranking.md explains them by examples.

Times are moments, milliseconds since the Unix epoch times 1024, the unit that lists of posts are ordered by.
"""

import math

DECADE = 45_000_000 << 10
"""What ten times as many votes are worth, as a span of time: 12.5 hours."""
_Z = 1.2816
"""The normal distribution's 90 % quantile: the bounds are those of an 80 % interval."""


def net_votes(likes: int, dislikes: int) -> float:
    """The likes that we may be sure of, less the dislikes.

    Sure of: of all votes, the share that the lower bound of Wilson's score interval gives to likes. Ten likes of ten
    votes are 8.6 of them, one of one is 0.38; a hundred of two hundred are 91, less a hundred dislikes.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927); for
    ratings E. Miller, "How not to sort by average rating" (2009), with the z of Reddit's "best" order of comments.
    """
    likes, dislikes = max(likes, 0), max(dislikes, 0)
    votes = likes + dislikes
    if votes == 0:
        return 0.0
    share, square = likes / votes, _Z * _Z / votes
    spread = _Z * math.sqrt((share * (1 - share) + square / 4) / votes)
    return votes * max(0.0, share + square / 2 - spread) / (1 + square) - dislikes


def hot(moment: int, likes: int, dislikes: int) -> int:
    """How hot a post is that was published at `moment`: the moment at which one that nobody has voted on is as hot.

    Time is not in it, so that it changes with votes alone, and the order of all posts can be kept in an index. Votes
    count by their logarithm: the first nine certain ones are worth 12.5 hours, ninety more another 12.5 hours.

    Source: Reddit's "hot", `sign * log10(max(|votes|, 1)) + seconds / 45000`, in the version published in 2008-2017;
    here times 45000 s, with `net_votes` for votes and 1 added to them, so that the first one counts.
    """
    net = net_votes(likes, dislikes)
    return max(1, moment + round(math.copysign(math.log10(1 + abs(net)), net) * DECADE))
