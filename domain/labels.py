"""Labels of content: what an author or a moderator may set, and what a viewer sees of content that has a label. All
labels of a post, comment or entity are one number: the label with the id n is the bit 1 << n.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from domain.errors import Refused, UserErrorCode
from settings import AgeRule, Label, LabelSettings


class LabelVisibility(IntEnum):
    """What a viewer sees of content with a label. If content has several labels, the highest value counts."""

    SHOW = 0
    WARN = 1
    HIDE = 2


class LabelSource(IntEnum):
    """Who has set a label."""

    AUTHOR = 0
    MODERATOR = 1
    SERVICE = 2


class Choice(NamedTuple):
    """What a viewer has chosen for a label: the id of the label, and the visibility."""

    label: int
    visibility: LabelVisibility


@dataclass(frozen=True)
class Audience:
    """A viewer, as far as labels are concerned: the age band, and what the viewer has chosen."""

    band: str
    choices: frozenset[Choice] = frozenset()


class Labels:
    """The configured labels and age bands of a deployment."""

    def __init__(self, settings: LabelSettings) -> None:
        self.all: Sequence[Label] = settings.label
        self.bands = settings.age_bands
        self._by_name = {label.name: label for label in settings.label}
        self._unknown_band = settings.unknown_age_band or settings.age_bands[0]

    @cached_property
    def known(self) -> int:
        """Returns the bits of all configured labels. Other bits belong to labels that were removed from the settings:
        these labels are not shown, and hide nothing.
        """
        return sum(1 << label.id for label in self.all)

    @cached_property
    def depend_on_age(self) -> bool:
        """Tells whether what viewers see depends on their age bands."""
        return any(label.ages for label in self.all)

    @property
    def anonymous(self) -> Audience:
        """Returns the audience of all readers who are not signed in: the lowest age band, and no choices."""
        return Audience(self.bands[0])

    def band(self, *stated: str | None) -> str:
        """Returns the age band of a signed-in user: the first configured age band among `stated`, which are what the
        token states and what a service has stored. Without one, returns the age band for unknown ages if all of
        `stated` are None, and the lowest one otherwise: a value with a typing error must not open content.
        """
        configured = next((band for band in stated if band in self.bands), None)
        return configured or (self._unknown_band if all(band is None for band in stated) else self.bands[0])

    def named(self, name: str) -> Label | None:
        """Returns the label with this name; None if there is none."""
        return self._by_name.get(name)

    def in_bits(self, bits: int) -> Iterator[Label]:
        """Yields the configured labels among these bits, in the order of the settings."""
        return (label for label in self.all if bits & 1 << label.id)

    def bits_of(self, names: Collection[str], *field: str, author: bool) -> int:
        """Returns the labels with these names as bits. Raises Refused with INVALID, and the path `field` in the input,
        for an unknown name and, if `author` is true, for a label that authors may not set.
        """
        bits = 0
        for name in names:
            label = self._by_name.get(name)
            if label is None:
                raise Refused.because(UserErrorCode.INVALID, "There is no label with this name.", *field)
            if author and not label.set_by_authors:
                raise Refused.because(UserErrorCode.INVALID, "Authors cannot set this label.", *field)
            bits |= 1 << label.id
        return bits

    def rule(self, label: Label, band: str) -> AgeRule:
        """Returns the default visibility of a label in an age band, and whether viewers may change it."""
        return label.ages.get(band, _DEFAULT)

    def visibility(self, label: Label, audience: Audience) -> LabelVisibility:
        """Returns what a viewer sees of content with this label: what the viewer has chosen if the age band permits a
        choice, otherwise the default of the age band. Two choices stand only while the viewer changes one; the stricter
        one then counts.
        """
        rule = self.rule(label, audience.band)
        if rule.changeable:
            chosen = [choice.visibility for choice in audience.choices if choice.label == label.id]
            if chosen:
                return max(chosen)
        return LabelVisibility[rule.visibility.upper()]

    def hidden(self, audience: Audience) -> int:
        """Returns the bits of the labels whose content is hidden from a viewer."""
        return sum(1 << one.id for one in self.all if self.visibility(one, audience) is LabelVisibility.HIDE)


_DEFAULT = AgeRule()
