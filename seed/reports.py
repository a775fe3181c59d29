"""Generates the cases of the moderation queue: texts of offensive posts, and reports about these posts and about other
content.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from domain.moderation.reports import ReportReason
from seed.comments import Comment

UNWELCOME: dict[str, tuple[ReportReason, list[str]]] = {
    "People who still bake with white flour are fools, and you know who you are.": (
        ReportReason.HARASSMENT,
        ["They mean me, and not for the first time.", "", "Please make it stop."],
    ),
    "Tea at half price, only until tonight. My shop sends it to every city.": (
        ReportReason.SPAM,
        ["", "Not what I came here for.", "", "The fourth advertisement today."],
    ),
    "Two lemons a day replace every medicine. Doctors will not tell you, so pass it on.": (
        ReportReason.MISINFORMATION,
        ["My father believed this and stopped taking his pills.", ""],
    ),
    "People from the south ruin every trail. They should stay where they are.": (
        ReportReason.HATE,
        ["", "I am from the south."],
    ),
    "有些人真的没教养，看一次骂一次，说的就是楼上那位。": (ReportReason.HARASSMENT, ["骂的是我。"]),
}
"""Offensive texts that the built-in rules of moderation do not find. Each has the reason and the notes of the reports
about it: one report for each note, which may be empty.
"""


class Target(Enum):
    """The kind of a reported object."""

    POST = "post"
    COMMENT = "comment on a post"
    THING = "thing"
    PERSON = "person"


class Report(NamedTuple):
    """A report. `target` is the index of the reported object in the community's list of objects of this kind. Each
    reporter makes only one report.
    """

    reporter: int
    kind: Target
    target: int
    reason: ReportReason
    note: str


class Existing(NamedTuple):
    """An object that can be reported: its kind, its index in the community's list of objects of this kind (`place`),
    and its author or owner.
    """

    kind: Target
    place: int
    author: int


def reports(
    people: int,
    unwelcome: Sequence[tuple[Existing, str]],
    photo: Existing,
    thing: Existing,
    comments: Sequence[Comment],
) -> Iterator[Report]:
    """Yields all reports. `people` is the number of people. The reports are about the `unwelcome` posts, which are
    given with their texts; about a post with an image (`photo`), an entity (`thing`), the first reply in `comments`,
    and a person.
    """
    at, reply = next((at, one) for at, one in enumerate(comments) if one.answers is not None)
    quarrel, person = Existing(Target.COMMENT, at, reply.author), Existing(Target.PERSON, people // 2, people // 2)
    found = [(post, *UNWELCOME[text]) for post, text in unwelcome] + [
        (photo, ReportReason.INTELLECTUAL_PROPERTY, ["This is my photo."]),
        (thing, ReportReason.INTELLECTUAL_PROPERTY, ["Copied from a book, word for word."]),
        (quarrel, ReportReason.OTHER, ["I do not like this answer."]),
        (person, ReportReason.IMPERSONATION, ["I know the real one."]),
    ]
    reporters = iter(Random(12).sample(range(people), k=people))
    for (kind, place, author), reason, notes in found:
        for note in notes:
            yield Report(next(one for one in reporters if one != author), kind, place, reason, note)
