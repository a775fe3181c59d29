"""The kinds of reactions that a business defines beside likes and dislikes, such as love or 😂."""

import unicodedata
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from settings.part import Part

BUILT_IN_REACTIONS = {"like": 1, "dislike": 2}
"""The names and ids of the kinds of reactions that every business has."""
FIRST_REACTION, LAST_REACTION = 3, 50
"""The lowest and the highest id of a kind of reaction that a business defines. All kinds of one user and object are
bits of one number, which Redis can store exactly up to 2^53.
"""
_LONGEST = 32
_JOINERS = {0x200D, 0x20E3, *range(0xE0020, 0xE0080)}
"""The code points that join or enclose the parts of an emoji: the zero-width joiner, the keycap, and tags of flags."""
_KEYCAPS = frozenset("0123456789#*")
_VARIANTS = {0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)}
"""The code points that only choose how an emoji looks: variation selectors and skin tones."""


def canonical_reaction(name: str) -> str:
    """Returns the form of a kind's name that is the same for all spellings of an emoji: without variation selectors and
    skin tones, in the Unicode form NFC. Returns other names as they are.
    """
    return "".join(one for one in unicodedata.normalize("NFC", name) if ord(one) not in _VARIANTS)


def _checked(name: str) -> str:
    if name in BUILT_IN_REACTIONS:
        raise ValueError(f"every business has the kind {name}")
    is_word = name.isascii() and name[:1].islower() and name.replace("_", "a").isalnum() and name == name.lower()
    if not is_word and not _is_emoji(canonical_reaction(name)):
        raise ValueError("a name is an emoji, or lower-case letters, digits and underscores")
    return name


def _is_emoji(text: str) -> bool:
    """Returns whether a text without variation selectors is one emoji, as far as the Unicode data of Python knows."""
    is_keycap = len(text) == 2 and text[0] in _KEYCAPS and ord(text[1]) == 0x20E3
    return is_keycap or (
        any(ord(one) not in _JOINERS for one in text)
        and all(
            ord(one) in _JOINERS or ord(one) >= 0x1F000 or unicodedata.category(one) in ("So", "Sm") for one in text
        )
    )


class ReactionKind(Part):
    """A kind of reaction that a business defines beside likes and dislikes, such as love or 😂."""

    id: Annotated[int, Field(ge=FIRST_REACTION, le=LAST_REACTION)]
    """3 to 50, unique in this business. **Never change it, and never use it again.**"""
    name: Annotated[str, Field(min_length=1, max_length=_LONGEST), AfterValidator(_checked)]
    """The name in the API, at most 32 characters: an emoji, or lower-case letters, digits and underscores; not `like`
    and `dislike`. Clients may leave out or add variation selectors and skin tones; the API returns the emoji as it is
    written here. You can change the name.
    """
    is_like: bool = False
    """Whether it counts as a like: in `likeCount`, `likers`, `likesReceivedCount`, `User.likes`, ranking and
    leaderboards. A change applies to later reactions.
    """
    removed: bool = False
    """Set it to remove the kind: users can no longer give it, and the API does not show it. Leave the kind in the file,
    because its id must stay taken.
    """


def ambiguous_reactions(kinds: Sequence[ReactionKind]) -> str | None:
    """Returns an error message if two kinds of a business share an id, or are two spellings of one name. Otherwise
    returns None.
    """
    if len({kind.id for kind in kinds}) < len(kinds):
        return "share an id"
    if len({canonical_reaction(kind.name) for kind in kinds}) < len(kinds):
        return "share a name"
    return None
