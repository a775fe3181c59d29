"""Threads below posts and things: most are short, some very long. Who says what there, and to whom they reply."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from seed.people import Person
from seed.writing import Interest, Writer

_LONGEST, _EACH = 80, 6
"""Of a thread, and for each of those who are in it."""
_REPLIES, _BY_OWNER, _NAMES_ANSWERED, _NAMES_FRIEND = 0.45, 0.3, 0.25, 0.03
"""How likely a comment is a reply, a reply is the owner's, a reply names whom it answers, any other names a friend."""
_MOST_LIKES = 40


class Comment(NamedTuple):
    """What somebody said; `key` makes it theirs once for ever."""

    author: int
    key: str
    age: int
    text: str
    subject: int
    """Its place among all posts and, after these, things."""
    answers: int | None
    """The place of the comment that it replies to, and"""
    root: int | None
    """of the one that begins all that."""


class Thread(NamedTuple):
    """What is talked about, by whom besides its owner, and how long ago each said something, the oldest first."""

    subject: int
    owner: int
    interest: Interest
    circle: Sequence[int]
    ages: Sequence[int]


def length(chance: Random, attention: float, circle: Sequence[int]) -> int:
    """How many comments a thread has, where some of those in it have something to say: mostly none, or a few."""
    return min(_LONGEST, _EACH * len(circle), int(attention * chance.paretovariate(1.3)))


def comments(chance: Random, people: Sequence[Person], threads: Iterator[Thread]) -> list[Comment]:
    """Those of all threads, thread by thread."""
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
    """Somebody of the circle, or the owner; nobody answers themselves."""
    others = [one for one in thread.circle if answered is None or one != answered.author]
    may_own = answered is not None and answered.author != thread.owner
    if not others or (may_own and chance.random() < _BY_OWNER):
        return thread.owner
    return chance.choice(others)


def _named(chance: Random, thread: Thread, author: int, answered: Comment | None) -> int | None:
    """Whom a comment names with an @."""
    if answered:
        return answered.author if chance.random() < _NAMES_ANSWERED else None
    others = [one for one in thread.circle if one != author]
    return chance.choice(others) if others and chance.random() < _NAMES_FRIEND else None


def likers(chance: Random, comment: Comment, count: int) -> list[int]:
    """Who of all `count` people likes a comment: mostly nobody, and of a good one many; replies are read by fewer."""
    charm = chance.paretovariate(1.5) - (0.8 if comment.root is None else 1.2)
    return [one for one in chance.sample(range(count), k=min(_MOST_LIKES, int(charm))) if one != comment.author]
