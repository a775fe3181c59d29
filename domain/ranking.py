"""Ranking formulas as pure functions, with their sources. docs/internals/ranking.md explains them with examples.

Times and ages are moments: milliseconds times 1024, counted from the Unix epoch. Lists of posts are ordered by moments.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

DECADE = 45_000_000 << 10
"""The age, as a moment, that offsets ten times as many votes on a post: 12.5 hours."""
SLOW_DECADE = 604_800_000 << 10
"""The age, as a moment, that offsets ten times as many votes on a comment: a week, because comments are read for
longer.
"""
_LEAST_STEP, _LARGEST_STEP, _AGE_PER_STEP = 600_000 << 10, 21_600_000 << 10, 16
"""The smallest and the largest result of `step` (ten minutes and six hours), and the number by which `step` divides the
age of a score.
"""
_NEW_MS = 30 * 86_400_000
_Z = 1.2816
"""The 90 % quantile of the normal distribution, so the lower bounds are those of an 80 % interval."""


def net_votes(likes: int, dislikes: int) -> float:
    """Returns a cautious estimate of the number of likes, minus the number of dislikes.

    The estimate is the number of votes times the lower bound of Wilson's score interval for the share of likes. Ten
    likes of ten votes are estimated as 8.6, and one like of one vote as 0.38. A hundred likes of two hundred votes are
    estimated as 91, so that the result is 91 minus 100 dislikes.

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
    """Returns the hot score of a post that was published at `moment`. The score is itself a moment: the post ranks like
    a post without votes that was published at this moment.

    The score does not depend on the current time. It changes only with votes, so the order of all posts can be kept in
    an index. Votes count by their logarithm: the first nine net votes raise the score by 12.5 hours, the next ninety by
    another 12.5 hours.

    Source: Reddit's "hot", `sign * log10(max(|votes|, 1)) + seconds / 45000`, in the version published in 2008-2017;
    here multiplied by 45000 s, with `net_votes` for votes and 1 added to them, so that the first vote counts.
    """
    return _hot_score(moment, net_votes(likes, dislikes), DECADE)


def step(score: int, now: int) -> int:
    """Returns the smallest change of a post's hot score that a reader of the list notices. `score` is the post's score,
    and `now` the current time, both as moments.

    The change is a sixteenth of the score's age. It moves the post by about a sixteenth of its position in the list,
    because about as many posts are above a post as were published since its score. The change is at least ten minutes,
    which correspond to 3 % more votes, and at most six hours, which correspond to three times the votes.
    """
    return min(_LARGEST_STEP, max(_LEAST_STEP, (now - score) // _AGE_PER_STEP))


def hot_comment(moment: int, likes: int, dislikes: int, replies: int) -> int:
    """Returns the hot score, as a moment, of a root comment that was written at `moment`. It orders the root comments
    of a post or entity.

    The formula is that of `hot`, with two changes: ten times the votes raise the score by a week, and replies count as
    votes by their logarithm. One reply counts as one net vote, three as two, a hundred as 6.7. Any user can write many
    replies, so an argument raises a comment only a little, and a disliked comment stays low.

    Source: `hot`, and the caution of Reddit's "best" order (see `net_votes`); the logarithm of replies is our own.
    """
    return _hot_score(moment, net_votes(likes, dislikes) + math.log2(1 + max(replies, 0)), SLOW_DECADE)


def _hot_score(moment: int, net: float, decade: int) -> int:
    return max(1, moment + round(math.copysign(math.log10(1 + abs(net)), net) * decade))


TOPIC, FOLLOWED = 1.0, 2.0
"""The weights of the two parts of an `Appeal`. A part of 1 raises a post as much as ten times the votes.

If all of the viewer's activity has the post's topic, the part for the topic is TOPIC. Each time the number of followed
users who like the post grows tenfold, the part for followed users grows by FOLLOWED.
"""


_TEXT = 10
"""A text that matches a tenth as well ranks like one that is this many times `DECADE` older."""


def found(hot: int, rank: float) -> int:
    """Returns the score that orders what a search finds. `hot` is the hot score of a post, or the moment of a comment
    or an entity. `rank` says how well the text matches, with more than 0 and at most 1.

    The score is the product of the two in logarithms: a text that matches half as well ranks like one that is about
    38 hours older.
    """
    return hot + round(_TEXT * math.log10(max(rank, 1e-6)) * DECADE)


class Appeal(NamedTuple):
    """The two reasons for recommending a post to a viewer: its topic, and the followed users who like it (`followed`).
    A part of 1 raises the post as much as ten times the votes. The response can name the reasons.
    """

    topic: float
    followed: float


def appeal(share: float, followed: int) -> Appeal:
    """Returns the appeal of a post to a viewer, which `recommended` adds to the hot score. `share` (0 to 1) is the part
    of the viewer's recent likes and posts that has the post's topic. `followed` is the number of users that the viewer
    follows and that have liked the post recently.

    One followed user who likes the post raises it as much as four times the votes, three such users as much as sixteen
    times.

    Source: a linear combination of signals per candidate, as in J. Davidson et al., "The YouTube video recommendation
    system", RecSys 2010; linear in logarithms of votes, so that it adds to `hot`.
    """
    return Appeal(TOPIC * min(max(share, 0.0), 1.0), FOLLOWED * math.log10(1 + max(followed, 0)))


def recommended(hot: int, appeal: Appeal) -> int:
    """Returns the score that orders recommendations: the hot score of a post, plus `DECADE` times the sum of both parts
    of its appeal to the viewer.
    """
    return hot + round((appeal.topic + appeal.followed) * DECADE)


LESS_AUTHOR, LESS_TOPIC = 3.0, 1.0
"""How much a post is lowered if the viewer wants to see less like another post of the same author, or with one of its
topics. A part of 1 lowers a post as much as a tenth of the votes.
"""


def lowered(score: int, *, same_author: bool, same_topic: bool) -> int:
    """Returns the score (`recommended`) of a post, lowered for a viewer who wants to see less like a post of the same
    author, or with one of its topics.
    """
    return score - round((LESS_AUTHOR * same_author + LESS_TOPIC * same_topic) * DECADE)


def second_degree(paths: int, followers: int) -> float:
    """Returns the score of a suggested user with `followers` followers. The viewer follows `paths` of these followers.
    For the same score, a user with more followers needs more of them.

    Source: the number of common neighbours, as in D. Liben-Nowell and J. Kleinberg, "The link-prediction problem for
    social networks", CIKM 2003, divided by the logarithm of the degree.
    """
    return paths / math.log2(4 + max(followers, 0))


def similar_likes(likes: Iterable[int]) -> float:
    """Returns the score of a suggested user who likes the same posts as the viewer. `likes` has the number of likes of
    each of these posts: a post with fewer likes adds more to the score.

    Source: L. Adamic and E. Adar, "Friends and neighbors on the Web", Social Networks 25 (2003).
    """
    return sum(0.5 / math.log2(2 + max(count, 0)) for count in likes)


def popular_in_topic(posts: int) -> float:
    """Returns the score of a suggested user who has written this many of the hottest posts of a followed topic."""
    return 0.1 * math.log2(1 + posts)


def new_member(age_ms: int) -> float:
    """Returns the score of a suggested user whose account has this age, in milliseconds; 0 from 30 days on."""
    return 0.1 * max(0.0, 1 - age_ms / _NEW_MS)


def diversified(authors: Sequence[int], most: int, window: int) -> list[int]:
    """Chooses from a list so that no author has more than `most` of any `window` consecutive items. `authors` has the
    author of each item, in order. Returns the positions of the chosen items, in their new order.

    Each next item is the first remaining item that is allowed. Items that are never allowed are left out.

    Source: limits per uploader in the final list, as in Davidson et al. 2010; the greedy choice as in J. Carbonell and
    J. Goldstein, "The use of MMR", SIGIR 1998, with a limit in place of a penalty.
    """
    remaining, kept = list(range(len(authors))), list[int]()
    while remaining:
        near = Counter(authors[i] for i in kept[max(0, len(kept) - window + 1) :])
        place = next((at for at, i in enumerate(remaining) if near[authors[i]] < most), None)
        if place is None:
            break
        kept.append(remaining.pop(place))
    return kept
