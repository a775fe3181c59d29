"""Runs all moderation rules on a submission. The most severe verdict counts. If no rule objects and an external
reviewer is configured, the submission waits for the reviewer's decision.
"""

from collections.abc import Collection
from dataclasses import replace

from domain.moderation import author_reputation, spam, velocity, word_list
from domain.moderation.premoderation import Premoderation
from domain.moderation.verdicts import (
    WAITS_FOR_REVIEW,
    AuditStatus,
    ModerationVerdict,
    Submission,
    SubmissionHistory,
    most_severe,
)
from domain.moderation.word_list import WordList
from settings import ModerationSettings


class Pipeline:
    """The moderation rules that decide without the external reviewer. Creating a pipeline raises ValueError or OSError
    if the word list cannot be read, and ValueError if the word list names a label that is not in `labels`, the names of
    the configured labels, or if a topic to premoderate cannot exist.
    """

    def __init__(self, settings: ModerationSettings, labels: Collection[str] = ()) -> None:
        self._settings = settings
        self._words = word_list.read(settings.words_file, labels)
        self._premoderation = Premoderation(settings)
        self.words_revision = 0
        """The newest revision of the word list that `use_words` has received; 0 while the list is the one in the
        settings' file.
        """

    def use_words(self, revision: int, words: WordList | None) -> None:
        """Replaces the word list by a newer revision. If `words` is None, because this revision cannot be read, keeps
        the present list and only records the number. Does nothing if `revision` is not newer than `words_revision`.
        """
        if revision > self.words_revision:
            self._words, self.words_revision = words or self._words, revision

    @property
    def has_reviewer(self) -> bool:
        """Returns whether an external reviewer is configured, which is asked about each submission that no rule objects
        to.
        """
        return self._settings.reviewer is not None

    def read_ahead(self, text: str) -> None:
        """Computes the fingerprints of a text and its verdict by the word list, and remembers them, so that `check` is
        fast for this text soon afterwards.
        """
        spam.digest(text)
        self._words.verdict_on(text)

    def check_profile(self, submission: Submission) -> ModerationVerdict:
        """Returns the verdict of two rules, links and word list, on a text of a profile or the name of a collection.
        The text is not compared with the user's other submissions.
        """
        return most_severe(spam.check_links(submission, self._settings), self._words.check(submission))

    def check(self, submission: Submission, history: SubmissionHistory) -> ModerationVerdict:
        """Returns the most severe verdict of the rules, or WAITS_FOR_REVIEW if no rule objects and there is an external
        reviewer. The verdict has the labels that the rules set.

        The same submission and history always get the same verdict from the same word list.
        """
        verdict = most_severe(
            spam.check(submission, history, self._settings),
            velocity.check(submission, self._settings),
            author_reputation.check(submission, self._settings),
            self._words.check(submission),
            self._premoderation.check(submission),
        )
        if self._settings.reviewer and verdict.status is AuditStatus.APPROVED:
            return replace(WAITS_FOR_REVIEW, labels=verdict.labels)
        return verdict
