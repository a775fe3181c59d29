"""The list of sensitive words, and the search for these words in texts.

A list is a text file with one word or phrase per line, after `reject:`, `review:` (the default) or `label NAME:`, and
comments after `#`. Texts and words are folded before they are compared (domain/moderation/folding.py). A word of a
script with spaces between words matches whole words only; a word of another script (Chinese, Japanese, Korean, Thai …)
matches anywhere.

A word that is spelled out, `s p a m` or `s.p.a.m`, is found if no other letters are spelled out beside it. Punctuation
and gaps inside words do not hide them: `casino-bonus`, `casino_bonus` and `cas-ino bonus` all match `casino bonus`.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import ahocorasick

from domain.invisible_characters import gaps_to_spaces
from domain.moderation.folding import KEPT_TEXTS, OTHER, SPACED, fold, inside_word, letters, shape
from domain.moderation.reports import CaseSource
from domain.moderation.verdicts import (
    APPROVED,
    AuditStatus,
    LabelVerdict,
    ModerationVerdict,
    Submission,
    most_severe,
    severity,
)

_LINE = re.compile(
    r"(?:(?P<severity>reject|review|label\s+(?P<label>[a-z][a-z0-9_]{0,31}))\s*[:\uff1a])?\s*(?P<word>.*)",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_STATUS = {"reject": AuditStatus.REJECTED, "review": AuditStatus.PENDING}
_REASON = {
    AuditStatus.REJECTED: "has a word that is not allowed",
    AuditStatus.PENDING: "has a word that a moderator must review",
}
_SPELLED = re.compile(r"(?<![wc])[wc](?![wc])(?: {1,3}[wc](?![wc]))+")
"""Matches a spelled-out word in the shape of a text (`folding.shape`): single letters with one to three other
characters between them, but no stop.
"""


_SEPARATOR = re.compile(r"(?<=w) {1,3}(?=w)")
"""Matches a separator in the shape of a text (`folding.shape`): one to three other characters between letters of a
script with spaces between words.
"""
_NO_SEPARATORS = frozenset(" '\u2018\u2019")
"""Characters that are not separators: a space, because it separates words, and an apostrophe, because `he'll` is
another word than `hell`.
"""
_HIDEABLE = re.compile(r"[w ]{3,}")
"""Matches the shape of listed words that separators can hide: at least three characters, with letters
and spaces only.
"""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of the list, and the moderation status and the labels of texts that contain it."""

    text: str
    status: AuditStatus
    labels: tuple[str, ...] = ()
    """The names of the labels."""

    @property
    def verdict(self) -> ModerationVerdict:
        labels = tuple(LabelVerdict(name, f"has the word: {self.text}") for name in self.labels)
        if self.status is AuditStatus.APPROVED:
            return replace(APPROVED, labels=labels)
        return ModerationVerdict(self.status, f"{_REASON[self.status]}: {self.text}", CaseSource.WORDS, labels=labels)


class WordList:
    """A word list that finds its words in texts, in linear time. The constructor raises ValueError for a word without a
    visible character.
    """

    def __init__(self, words: Iterable[Word]) -> None:
        folded: dict[str, Word] = {}
        for word in sorted(words, key=lambda word: severity(word.status)):
            if not (key := fold(word.text)):
                raise ValueError(f"{word.text!r} has no visible character")
            known = folded[key].labels if key in folded else ()
            # If a word is listed several times, the most severe status and all labels count.
            folded[key] = replace(word, labels=(*dict.fromkeys((*known, *word.labels)),)) if known else word
        self.words = list(folded.values())
        self._finder = ahocorasick.Automaton()
        for key, word in folded.items():
            self._finder.add_word(key, (len(key), word))
        self._finder.make_automaton()
        self._spelled = {letters(key): word for key, word in folded.items()}
        self._hideable = {word.text for key, word in folded.items() if _HIDEABLE.fullmatch(shape(key))}
        self.verdict_on = lru_cache(KEPT_TEXTS)(self._verdict)
        """Returns the most severe verdict on a text. Remembers the verdicts of recent texts."""

    def check(self, submission: Submission) -> ModerationVerdict:
        """Returns the most severe verdict of the word list on the text, the image descriptions and the topics of a
        submission. If several verdicts are equally severe, returns the first of these.
        """
        texts = (*submission.texts, *submission.topics)
        return most_severe(APPROVED, *map(self.verdict_on, texts))

    def _verdict(self, text: str) -> ModerationVerdict:
        return most_severe(APPROVED, *(word.verdict for word in dict.fromkeys(self.matches(text))))

    def matches(self, text: str) -> Iterator[Word]:
        """Yields the words of the list that a text contains: first plain matches in the order of their last characters
        in the text, then spelled-out words, then words that separators hide.
        """
        seen = set[str]()
        for word in self._plain_matches(folded := fold(text)):
            seen.add(word.text)
            yield word
        for hidden in _without_separators(text, folded):
            for word in self._plain_matches(hidden):
                if word.text in self._hideable and word.text not in seen:
                    seen.add(word.text)
                    yield word

    def _plain_matches(self, folded: str) -> Iterator[Word]:
        """Yields the words of the list that a folded text contains, in the order of their last characters, then the
        spelled-out words.
        """
        shapes = shape(folded)
        for last, (length, word) in self._finder.iter(folded) if self.words else ():
            if not inside_word(shapes, last + 1 - length) and not inside_word(shapes, last + 1):
                yield word
        for run in _SPELLED.finditer(shapes):
            spelled, kinds = letters(folded[slice(*run.span())]), run[0].replace(OTHER, "")
            if spelled in self._spelled and (len(kinds) > 2 or SPACED not in kinds):
                yield self._spelled[spelled]


def _without_separators(text: str, folded: str) -> Iterator[str]:
    """Yields variants of a folded text in which separators and gaps inside words are replaced by spaces or left out."""
    gapped = fold(gaps_to_spaces(text))
    for one in dict.fromkeys((folded, gapped)):
        matches = (match.span() for match in _SEPARATOR.finditer(shape(one)))
        spans = [span for span in matches if _NO_SEPARATORS.isdisjoint(one[slice(*span)])]
        for instead in (" ", "") if spans else ():
            ends = (0, *(end for _, end in spans))
            starts = (*(start for start, _ in spans), len(one))
            yield instead.join(one[end:start] for end, start in zip(ends, starts, strict=True))
    if gapped != folded:
        yield gapped


def read(path: Path, labels: Collection[str]) -> WordList:
    """Reads a word list from a file. `labels` are the names of the configured labels. Raises OSError, or ValueError
    with the numbers of all invalid lines.
    """
    return parse(read_text(path), str(path), labels)


def read_text(path: Path) -> str:
    """Returns the text of a file with a word list. Raises OSError, or ValueError if the file is not in UTF-8."""
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{number}: this line is not in UTF-8") from error


def without(text: str, words: Collection[str]) -> tuple[str, list[str]]:
    """Returns the text of a word list without the lines that have one of these words, and those of the words that no
    line has. Words are compared as in texts: `CASINO` removes `casino`.
    """
    wanted, found, kept = {fold(word): word for word in words}, set[str](), list[str]()
    for line in text.splitlines(keepends=True):
        match = _LINE.fullmatch(_COMMENT.sub("", line).strip())
        key = fold(match["word"]) if match else ""
        if key and key in wanted:
            found.add(key)
        else:
            kept.append(line)
    return "".join(kept), [word for key, word in wanted.items() if key not in found]


def parse(text: str, name: str, labels: Collection[str] | None = None) -> WordList:
    """Returns the word list that a text contains. `labels` are the names of the configured labels; None allows all
    names. Raises ValueError with the numbers of all invalid lines; `name` names the text in the message.
    """
    words, problems = list[Word](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.fullmatch(_COMMENT.sub("", line).strip())
        assert match is not None  # the pattern matches every line
        if "\0" in line:
            problems.append(f"{name}:{number}: this line has a null character")
        elif match["label"] and labels is not None and match["label"].lower() not in labels:
            problems.append(f"{name}:{number}: there is no label {match['label']}")
        elif match["label"] and fold(match["word"]):
            words.append(Word(match["word"], AuditStatus.APPROVED, (match["label"].lower(),)))
        elif fold(match["word"]):
            words.append(Word(match["word"], _STATUS[(match["severity"] or "review").lower()]))
        elif match["word"] or match["severity"]:
            problems.append(f"{name}:{number}: this line has no word")
    if problems:
        raise ValueError("\n".join(problems))
    return WordList(words)
