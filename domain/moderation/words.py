"""Sensitive words: the list of them, and which of them a text has.

A list is a text file: one word or phrase a line, with `reject:` or `review:` before it (review, if it does not say),
comments after `#`. The text and the words are compared folded (domain/moderation/folding.py). A word of a script that
puts spaces between words matches whole words only; of others (Chinese, Japanese, Korean, Thai …), wherever it stands.
A word spelled out, `s p a m` or `s.p.a.m`, is found where that and nothing more is spelled. Signs and gaps in a word
or phrase hide nothing: `casino-bonus` and `casino_bonus` are `casino bonus`, and so is `cas-ino bonus`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ahocorasick_rs import AhoCorasick

from domain.invisible_characters import gaps_as_spaces
from domain.moderation.folding import OTHER, SPACED, fold, letters, shape
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission, worst

_LINE = re.compile(r"(?:(?P<severity>reject|review)\s*[:\uff1a])?\s*(?P<word>.*)", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_STATUS = {"reject": AuditStatus.REJECTED, "review": AuditStatus.PENDING}
_REASON = {
    AuditStatus.REJECTED: "has a word that is not allowed",
    AuditStatus.PENDING: "has a word that a moderator has to look at",
}
_SPELLED = re.compile(r"(?<![wc])[wc](?![wc])(?: {1,3}[wc](?![wc]))+")
"""In a shape: single letters with up to three signs between them, as far as that goes on without a stop."""


_SEPARATOR = re.compile(r"(?<=w) {1,3}(?=w)")
"""In a shape: up to three signs between letters of a script that puts spaces between words."""
_NO_SEPARATORS = frozenset(" '\u2018\u2019")
"""A space is none, because words do stand beside each other; nor is an apostrophe: `he'll` is another word."""
_HIDEABLE = re.compile(r"[w ]{3,}")
"""The shape of words that are looked for among what separators hide: no signs, and more than two letters."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase as the list has it, and what becomes of a text that has it."""

    text: str
    status: AuditStatus

    @property
    def verdict(self) -> ModerationVerdict:
        return ModerationVerdict(self.status, f"{_REASON[self.status]}: {self.text}")


class WordList:
    """Finds the words of a list in a text, in time linear in the text and in what is found.

    Raises ValueError for a word of which folding leaves nothing.
    """

    def __init__(self, words: Iterable[Word]) -> None:
        folded: dict[str, Word] = {}
        for word in sorted(words, key=lambda word: word.status == AuditStatus.REJECTED):
            if not (key := fold(word.text)):
                raise ValueError(f"nothing of {word.text!r} can be seen")
            folded[key] = word  # written twice, the sterner one counts
        self.words = list(folded.values())
        self._finder = AhoCorasick(folded)
        self._spelled = {letters(key): word for key, word in folded.items()}

    def look(self, submission: Submission) -> ModerationVerdict:
        """The sternest of what the text, the words for its images and the topics have, and of those the first."""
        texts = (submission.text, *submission.image_alts, *submission.topics)
        return worst(APPROVED, *(word.verdict for text in texts for word in self.found(text)))

    def found(self, text: str) -> Iterator[Word]:
        """Every occurrence, by where it ends; then words that are spelled out, and words that separators hide."""
        seen = set[str]()
        for word in self._written(folded := fold(text)):
            seen.add(word.text)
            yield word
        for hidden in _unhidden(text, folded):
            for word in self._written(hidden):
                if word.text not in seen and _HIDEABLE.fullmatch(shape(fold(word.text))):
                    seen.add(word.text)
                    yield word

    def _written(self, folded: str) -> Iterator[Word]:
        """Every occurrence in a folded text, by where it ends; words that are spelled out come last."""
        shapes = shape(folded)
        for index, start, end in self._finder.find_matches_as_indexes(folded, overlapping=True):
            if not _inside_word(shapes, start) and not _inside_word(shapes, end):
                yield self.words[index]
        for run in _SPELLED.finditer(shapes):
            spelled, kinds = letters(folded[slice(*run.span())]), run[0].replace(OTHER, "")
            if spelled in self._spelled and (len(kinds) > 2 or SPACED not in kinds):
                yield self._spelled[spelled]


def _unhidden(text: str, folded: str) -> Iterator[str]:
    """Returns what a text says, folded, where separators and gaps between letters are spaces, or are left out."""
    gapped = fold(gaps_as_spaces(text))
    for one in dict.fromkeys((folded, gapped)):
        found = (match.span() for match in _SEPARATOR.finditer(shape(one)))
        spans = [span for span in found if _NO_SEPARATORS.isdisjoint(one[slice(*span)])]
        for instead in (" ", "") if spans else ():
            ends = (0, *(end for _, end in spans))
            starts = (*(start for start, _ in spans), len(one))
            yield instead.join(one[end:start] for end, start in zip(ends, starts, strict=True))
    if gapped != folded:
        yield gapped


def _inside_word(shapes: str, position: int) -> bool:
    """Whether a word, of a script that has spaces, goes on from before this position to behind it."""
    return position > 0 and shapes[position - 1 : position + 1] == SPACED * 2


def read(path: Path) -> WordList:
    """The list in a file. Raises ValueError, which names the line, and OSError."""
    words = []
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        match = _LINE.fullmatch(_COMMENT.sub("", line).strip())
        assert match is not None  # the pattern takes any line
        if not match["word"] and not match["severity"]:
            continue
        if not fold(match["word"]):
            raise ValueError(f"{path}:{number}: there is no word here")
        words.append(Word(match["word"], _STATUS[(match["severity"] or "review").lower()]))
    return WordList(words)
