"""Reactions: likes, dislikes, and the kinds of reactions that businesses define. There is one row per user and object,
which stays when the reaction is removed, and a log of the requested changes.

A user's *state* about an object is one number. 0 is no reaction, 1 a like, 2 a dislike. For everything else it is
`4 * kinds + Reaction`: `kinds` has a bit for each kind that the user has given (bit 0 for the like, 1 for the dislike,
2 for the kind with the id 3, and so on), and `Reaction` says what these kinds count as. So a state can be counted
without knowledge of the configuration, and a kind that counts as a like is a like everywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property
from typing import NamedTuple, Self

from sqlalchemy import BigInteger, Boolean, Computed, Index, SmallInteger, Text, text

from models.base import client_columns, column, key, nullable, table
from models.counters import FIRST_KIND_COUNTER
from settings import BUILT_IN_REACTIONS, LAST_REACTION, Business, canonical_reaction

REACT = "react"
"""The value of `kind` of reactions: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""
ALL_KINDS = (1 << LAST_REACTION) - 1
"""The set of all kinds, as bits."""
STATE = "state | (coalesce(kinds, 0) << 2)"
"""The SQL expression for the state that a row of `reactions` stores."""


class Reaction(IntEnum):
    """What a user's reactions to a post, comment or entity count as. The numbers are stored. NONE is stored too, so
    that an older like that arrives late changes nothing. OTHER is a reaction that is neither a like nor a dislike.
    """

    NONE = 0
    LIKE = 1
    DISLIKE = 2
    OTHER = 3


_PLAIN = Reaction.DISLIKE
"""The highest state that is not made of `kinds`."""


def counts_as(state: int) -> int:
    """Returns what a state counts as: the number of a `Reaction`."""
    return state & 3


def kinds_in(state: int) -> int:
    """Returns the set of the kinds in a state, as bits."""
    return state if state <= _PLAIN else state >> 2


def checked_state(state: int) -> int:
    """Returns a state. Raises ValueError unless it is one that `state_of` returns for some kinds."""
    kinds = kinds_in(state)
    if not state >= 0 or kinds > ALL_KINDS or state not in (state_of(kinds, kinds), state_of(kinds, 0)):
        raise ValueError(f"{state} is not the state of a reaction.")
    return state


def bit_of(kind: int) -> int:
    """Returns the set of kinds, as bits, that contains only the kind with the id `kind`."""
    return 1 << (kind - 1)


def ids_in(kinds: int) -> list[int]:
    """Returns the ids of the kinds in a set, in ascending order."""
    return [kind for kind in range(1, kinds.bit_length() + 1) if kinds & bit_of(kind)]


def counter_of(kind: int) -> int:
    """Returns the number of the counter of users who have given the kind with the id `kind`, which is not a like or
    dislike.
    """
    return FIRST_KIND_COUNTER + kind


class Step(NamedTuple):
    """A change of a state: the sets of kinds that are added and removed, as bits. `likes` has the kinds that count as a
    like. store/scripts/change_own_set.lua makes the same change in Redis.
    """

    add: int
    remove: int
    likes: int

    def after(self, was: int) -> int:
        """Returns the state after the change. `was` is the state before."""
        return state_of((kinds_in(was) & ~self.remove) | self.add, self.likes)


def state_of(kinds: int, likes: int = 1) -> int:
    """Returns the state of a user who has given the kinds in the set `kinds`. `likes` has the kinds that count as a
    like.
    """
    if kinds <= _PLAIN:
        return kinds
    is_like = Reaction.LIKE if kinds & likes else Reaction.OTHER
    return (kinds << 2) | (Reaction.DISLIKE if kinds & Reaction.DISLIKE else is_like)


@dataclass(frozen=True, eq=False)
class Reactions:
    """The kinds of reactions of a business."""

    names: Mapping[int, str]
    """The names of the kinds that are not removed, by id."""
    likes: int
    """The set of the kinds that count as a like, as bits."""
    many: bool
    """Whether a user can give an object several kinds."""
    dislikes: bool
    """Whether users can give dislikes."""

    @property
    def offered(self) -> Mapping[int, str]:
        """The names of the kinds that users can give, by id."""
        return {id_: name for id_, name in self.names.items() if self.dislikes or id_ != Reaction.DISLIKE}

    @classmethod
    def of(cls, business: Business) -> Self:
        """Returns the kinds of a business."""
        names = {id_: name for name, id_ in BUILT_IN_REACTIONS.items()}
        names |= {kind.id: kind.name for kind in business.reactions if not kind.removed}
        likes = sum(bit_of(kind.id) for kind in business.reactions if kind.is_like)
        return cls(names, Reaction.LIKE | likes, business.many_reactions, business.dislikes)

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """The change of a state that each verb makes, by the text that journal entries store. `unlike` removes all
        kinds that count as a like. `unreact:0` removes all kinds.
        """
        kinds = range(1, LAST_REACTION + 1)
        return {
            "like": self._adding(Reaction.LIKE),
            "unlike": self._removing(self.likes),
            "dislike": self._adding(Reaction.DISLIKE),
            "undislike": self._removing(Reaction.DISLIKE),
            "unreact:0": self._removing(ALL_KINDS),
            **{f"react:{kind}": self._adding(kind) for kind in kinds},
            **{f"unreact:{kind}": self._removing(bit_of(kind)) for kind in kinds},
        }

    def find(self, name: str) -> int | None:
        """Returns the id of the kind with this name, in any spelling of an emoji; None if there is none."""
        wanted = canonical_reaction(name)
        return next((id_ for id_, one in self.names.items() if canonical_reaction(one) == wanted), None)

    def named(self, kinds: int) -> list[str]:
        """Returns the names of the kinds in a set, in the order of their ids. Leaves out removed kinds."""
        return [self.names[id_] for id_ in ids_in(kinds) if id_ in self.names]

    def _adding(self, kind: int) -> Step:
        """Returns the change that gives a kind. It removes the kinds that the user cannot have at the same time."""
        bit = bit_of(kind)
        if not self.many:
            return Step(bit, ALL_KINDS, self.likes)
        opposite = self.likes if bit == Reaction.DISLIKE else Reaction.DISLIKE if bit & self.likes else 0
        return Step(bit, opposite, self.likes)

    def _removing(self, kinds: int) -> Step:
        return Step(0, kinds, self.likes)


NO_KINDS = Reactions({id_: name for name, id_ in BUILT_IN_REACTIONS.items()}, Reaction.LIKE, many=False, dislikes=False)
"""The kinds of a business that defines none, or that is not configured any more."""


def unknown_reaction(known: Reactions) -> str:
    """Returns the error message for a kind of reaction that users cannot give to objects of a business."""
    return f"There is no such kind of reaction here. The kinds are: {', '.join(known.offered.values())}."


class Verb(Enum):
    """A change of a reaction that a user requests: like, unlike, dislike or undislike."""

    LIKE = "like"
    UNLIKE = "unlike"
    DISLIKE = "dislike"
    UNDISLIKE = "undislike"

    def __init__(self, word: str) -> None:
        self.to = {"like": Reaction.LIKE, "dislike": Reaction.DISLIKE}.get(word, Reaction.NONE)
        """The reaction after the change."""
        self.only = {"unlike": Reaction.LIKE, "undislike": Reaction.DISLIKE}.get(word)
        """The reaction to which the change applies; other reactions stay as they are. None if the change applies to
        every reaction.
        """


class KindVerb(NamedTuple):
    """A change of a reaction that a user requests with `react` or `unreact`. `kind` is the id of the kind. For
    `unreact`, 0 stands for all kinds.
    """

    word: str
    kind: int

    @property
    def value(self) -> str:
        """Returns the text that journal entries and the log of likes store, such as `react:5`."""
        return f"{self.word}:{self.kind}"

    @property
    def to(self) -> int:
        """Returns the id of the kind that is given; 0 if the change removes one."""
        return self.kind if self.word == "react" else 0


REACTIONS_TABLE = table(
    "reactions",
    key("user_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # The owner of the entity when the like was given. The like counts in this user's received likes.
    nullable("owner_id", BigInteger),
    # What the reaction counts as (`Reaction`).
    column("state", SmallInteger),
    column("version", BigInteger),
    # What the reaction counted as before the last write. RETURNING reports it with the other values that the write
    # replaced, so a batch learns which transitions really happened.
    column("prev_state", SmallInteger, server_default=text("0")),
    nullable("prev_owner_id", BigInteger),
    # Whether the user had reacted at any time before the last write, other than with a dislike. A repeated like causes
    # no notification.
    column("had_liked", Boolean, server_default=text("false")),
    # The version shortened to 53 bits, which the score of a sorted set stores exactly. Lists are ordered by it in
    # Postgres and in Redis.
    column("moment", BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)),
    # The kinds of the reaction, as bits; null for no reaction, and for nothing but a like or a dislike.
    nullable("kinds", BigInteger),
    # The kinds before the last write.
    nullable("prev_kinds", BigInteger),
    Index(
        "reactions_recent_idx",
        "user_id",
        "business_id",
        text("moment DESC"),
        text("entity_id DESC"),
        postgresql_where=text("state <> 0"),
    ),
    Index(
        "reactions_likers_idx",
        "business_id",
        "entity_id",
        text("moment DESC"),
        text("user_id DESC"),
        postgresql_where=text("state = 1"),
    ),
    Index("reactions_dislikers_idx", "business_id", "entity_id", postgresql_where=text("state = 2")),
    Index(
        "reactions_kinds_idx",
        "business_id",
        "entity_id",
        text("moment DESC"),
        text("user_id DESC"),
        postgresql_include=["kinds"],
        postgresql_where=text("kinds IS NOT NULL"),
    ),
    # Workers find with it what is left of an erased entity.
    Index("reactions_ended_idx", "business_id", "entity_id", postgresql_where=text("state = 0")),
    Index("reactions_received_idx", "owner_id", postgresql_where=text("state = 1")),
    shard="user_id",
)
"""The reactions of all users. A change with a newer version replaces the row; an older one changes nothing."""

LIKE_LOG_TABLE = table(
    "like_log",
    key("user_id", BigInteger),
    key("version", BigInteger),
    column("business_id", SmallInteger),
    column("entity_id", BigInteger),
    nullable("owner_id", BigInteger),
    # `like`, `unlike`, `dislike` or `undislike`; or `react:` or `unreact:` with the id of the kind.
    column("verb", Text),
    nullable("source", Text),
    *client_columns(),
    Index("like_log_version_idx", "version"),
    shard="user_id",
)
"""One row for each change of a reaction that a user requested, with its verb (L13). This table is private: no field of
the API reads it. Each week of versions is one partition of the table (store/log_partitions.py).
"""
