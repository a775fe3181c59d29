"""Ranking: every formula there is, pure, with its source. docs/internals/ranking.md explains them by examples.

Times are moments, milliseconds since the Unix epoch times 1024, the unit that lists of posts are ordered by.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

DECADE = 45_000_000 << 10
"""What ten times as many votes are worth, as a span of time: 12.5 hours."""
SLOW_DECADE = 604_800_000 << 10
"""The same among comments: a week. What is said below something is read as long as that is."""
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
    return _heated(moment, net_votes(likes, dislikes), DECADE)


def hot_comment(moment: int, likes: int, dislikes: int, replies: int) -> int:
    """How hot a root comment is that was written at `moment`, among those of the same subject.

    As `hot`, but ten times the votes are worth a week, and replies are worth votes by their logarithm: one reply is one
    certain vote, three are two, a hundred are 6.7. Anybody can make as many of them as they like, so that a quarrel
    lifts a comment a little, and what is disliked for certain stays below.

    Source: `hot`, with "best" order's certainty (see `net_votes`) against few votes; the logarithm of replies is ours.
    """
    return _heated(moment, net_votes(likes, dislikes) + math.log2(1 + max(replies, 0)), SLOW_DECADE)


def _heated(moment: int, net: float, decade: int) -> int:
    return max(1, moment + round(math.copysign(math.log10(1 + abs(net)), net) * decade))


TOPIC, FRIENDS = 1.0, 2.0
"""How much more popular a post seems to somebody who is always about its topic, and per tenfold of those they follow
who like it; in powers of ten of votes, as in `hot`.
"""


class Appeal(NamedTuple):
    """What recommends a post to somebody, in powers of ten of votes: the parts may be told apart, and told."""

    topic: float
    friends: float


def appeal(share: float, friends: int) -> Appeal:
    """Of a post about whose topic is the `share` (0 to 1) of what somebody has liked and published lately, and which so
    many of those they follow have liked lately. One of them makes it as hot as four times the votes, three as sixteen.

    Source: a linear combination of signals per candidate, as in J. Davidson et al., "The YouTube video recommendation
    system", RecSys 2010; linear in logarithms of votes, so that it adds to `hot`.
    """
    return Appeal(TOPIC * min(max(share, 0.0), 1.0), FRIENDS * math.log10(1 + max(friends, 0)))


def recommended(hot: int, appeal: Appeal) -> int:
    """What a recommended list is ordered by: how hot the post would be if what recommends it were votes."""
    return hot + round((appeal.topic + appeal.friends) * DECADE)


def diversified(authors: Sequence[int], most: int, window: int) -> list[int]:
    """Which of a list's places to keep, in which order: none of its authors has more than `most` of any `window` in a
    row. Each next one is the first that may come; what never may is left out.

    Source: limits per uploader in the final list, as in Davidson et al. 2010; the greedy choice as in J. Carbonell and
    J. Goldstein, "The use of MMR", SIGIR 1998, with a limit in place of a penalty.
    """
    waiting, chosen = list(range(len(authors))), list[int]()
    while waiting:
        near = Counter(authors[i] for i in chosen[max(0, len(chosen) - window + 1) :])
        place = next((at for at, i in enumerate(waiting) if near[authors[i]] < most), None)
        if place is None:
            break
        chosen.append(waiting.pop(place))
    return chosen
