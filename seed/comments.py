"""Generates comment threads on posts and entities, with authors and replies. Most threads are short, some are long."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from seed.people import Person
from seed.writing import Interest, Writer

_LONGEST, _EACH = 80, 6
"""The most comments of a thread, and the most comments for each of its participants."""
_REPLIES, _BY_OWNER, _NAMES_ANSWERED, _NAMES_FRIEND = 0.45, 0.3, 0.25, 0.03
"""Four probabilities: that a comment is a reply; that a reply is by the owner of the post or entity; that a reply
mentions the author of the comment that it answers; that a root comment mentions a participant.
"""
_MOST_LIKES = 40


class Comment(NamedTuple):
    """A comment of the demo data. `author` is the index of a person in the list of all people. `key` is the idempotency
    key under which the comment is published, so that it is published only once. `age` is in milliseconds before now.
    """

    author: int
    key: str
    age: int
    text: str
    subject: int
    """The index of the post or entity that the comment is about, in the list of all posts followed by all entities."""
    answers: int | None
    """The index, in the list of all comments, of the comment that this one answers; None for a root comment."""
    root: int | None
    """The index, in the list of all comments, of the root comment under which this reply stands; None for a root
    comment.
    """


class Thread(NamedTuple):
    """The plan for the comments on one post or entity: the index and the owner of the subject, the other participants
    (`circle`), and the ages of the comments in milliseconds before now, oldest first. People are indexes in the list of
    all people.
    """

    subject: int
    owner: int
    interest: Interest
    circle: Sequence[int]
    ages: Sequence[int]


def length(chance: Random, attention: float, circle: Sequence[int]) -> int:
    """Returns a random number of comments for a thread, in proportion to `attention`. It is usually zero or a few, at
    most 80, and at most six times the number of participants (`circle`).
    """
    return min(_LONGEST, _EACH * len(circle), int(attention * chance.paretovariate(1.3)))


def comments(chance: Random, people: Sequence[Person], threads: Iterator[Thread]) -> list[Comment]:
    """Returns the comments of all threads, thread by thread."""
    writer, found = Writer(chance), list[Comment]()
    for thread in threads:
        began = len(found)
        for age in thread.ages:
            replies = len(found) > began and chance.random() < _REPLIES
            answers = chance.randrange(began, len(found)) if replies else None
            found.append(_said(chance, people, writer, thread, found, answers, age))
    return found


def _said(
    chance: Random,
    people: Sequence[Person],
    writer: Writer,
    thread: Thread,
    earlier: Sequence[Comment],
    answers: int | None,
    age: int,
) -> Comment:
    answered = None if answers is None else earlier[answers]
    author = _author(chance, thread, answered)
    text = writer.remark(thread.interest, answers=answered is not None)
    named = _named(chance, thread, author, answered)
    root = None if answered is None else answers if answered.root is None else answered.root
    said = text if named is None else f"@{people[named].handle} {text}"
    return Comment(author, f"seed-{len(earlier)}", age, said, thread.subject, answers, root)


def _author(chance: Random, thread: Thread, answered: Comment | None) -> int:
    """Returns the author of a comment: a participant or the owner of the thread, but not the author of the answered
    comment.
    """
    others = [one for one in thread.circle if answered is None or one != answered.author]
    may_own = answered is not None and answered.author != thread.owner
    if not others or (may_own and chance.random() < _BY_OWNER):
        return thread.owner
    return chance.choice(others)


def _named(chance: Random, thread: Thread, author: int, answered: Comment | None) -> int | None:
    """Returns the person that a comment by `author` mentions with an @; None if it mentions no one."""
    if answered:
        return answered.author if chance.random() < _NAMES_ANSWERED else None
    others = [one for one in thread.circle if one != author]
    return chance.choice(others) if others and chance.random() < _NAMES_FRIEND else None


def likers(chance: Random, comment: Comment, count: int) -> list[int]:
    """Returns the people who like a comment, of `count` people in all: usually none, sometimes many, and fewer for a
    reply.
    """
    charm = chance.paretovariate(1.5) - (0.8 if comment.root is None else 1.2)
    return [one for one in chance.sample(range(count), k=min(_MOST_LIKES, int(charm))) if one != comment.author]
