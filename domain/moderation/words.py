"""The list of sensitive words, and the search for them in texts.

A list is a text file with one word or phrase per line, after `reject:` or `review:` (the default), and comments after
`#`. Texts and words are folded before they are compared (domain/moderation/folding.py). A word of a script that puts
spaces between words matches whole words only; a word of other scripts (Chinese, Japanese, Korean, Thai …) matches
anywhere.

A word that is spelled out, `s p a m` or `s.p.a.m`, is found if nothing else is spelled out beside it. Punctuation and
gaps inside words do not hide them: `casino-bonus`, `casino_bonus` and `cas-ino bonus` all match `casino bonus`.
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
"""A pattern for shapes: single letters with up to three signs between them, up to a stop."""


_SEPARATOR = re.compile(r"(?<=w) {1,3}(?=w)")
"""A pattern for shapes: up to three signs between letters of a script that puts spaces between words."""
_NO_SEPARATORS = frozenset(" '\u2018\u2019")
"""Characters that are no separators: a space, because words stand beside each other, and an apostrophe, because `he'll`
is another word than `hell`.
"""
_HIDEABLE = re.compile(r"[w ]{3,}")
"""The shape of words that separators can hide: no signs, and more than two letters."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of the list, and the status of texts that contain it."""

    text: str
    status: AuditStatus

    @property
    def verdict(self) -> ModerationVerdict:
        return ModerationVerdict(self.status, f"{_REASON[self.status]}: {self.text}")


class WordList:
    """Finds the words of a list in a text, in time linear in the text and in the matches. Raises ValueError for a word
    of which folding leaves nothing.
    """

    def __init__(self, words: Iterable[Word]) -> None:
        folded: dict[str, Word] = {}
        for word in sorted(words, key=lambda word: word.status == AuditStatus.REJECTED):
            if not (key := fold(word.text)):
                raise ValueError(f"nothing of {word.text!r} can be seen")
            folded[key] = word  # of a word that is listed twice, the more severe line counts
        self.words = list(folded.values())
        self._finder = AhoCorasick(folded)
        self._spelled = {letters(key): word for key, word in folded.items()}

    def look(self, submission: Submission) -> ModerationVerdict:
        """Returns the most severe verdict for the text, the descriptions of the images and the topics; the first one of
        equals.
        """
        texts = (submission.text, *submission.image_alts, *submission.topics)
        return worst(APPROVED, *(word.verdict for text in texts for word in self.found(text)))

    def found(self, text: str) -> Iterator[Word]:
        """Yields all matches in the order of their ends, then words that are spelled out, then words that separators
        hide.
        """
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
        """Yields all matches in a folded text in the order of their ends. Words that are spelled out come last."""
        shapes = shape(folded)
        for index, start, end in self._finder.find_matches_as_indexes(folded, overlapping=True):
            if not _inside_word(shapes, start) and not _inside_word(shapes, end):
                yield self.words[index]
        for run in _SPELLED.finditer(shapes):
            spelled, kinds = letters(folded[slice(*run.span())]), run[0].replace(OTHER, "")
            if spelled in self._spelled and (len(kinds) > 2 or SPACED not in kinds):
                yield self._spelled[spelled]


def _unhidden(text: str, folded: str) -> Iterator[str]:
    """Yields the folded text with separators and gaps in words replaced by spaces, and with them left out."""
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
    """Tells whether a position is inside a word of a script that puts spaces between words."""
    return position > 0 and shapes[position - 1 : position + 1] == SPACED * 2


def read(path: Path) -> WordList:
    """Reads a list from a file. Raises ValueError, which names the line, and OSError."""
    words = []
    for number, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1):
        match = _LINE.fullmatch(_COMMENT.sub("", line).strip())
        assert match is not None  # the pattern matches every line
        if not match["word"] and not match["severity"]:
            continue
        if not fold(match["word"]):
            raise ValueError(f"{path}:{number}: there is no word here")
        words.append(Word(match["word"], _STATUS[(match["severity"] or "review").lower()]))
    return WordList(words)
