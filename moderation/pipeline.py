"""The steps in their order: what the author has been doing, what the text has, and what the external reviewer says."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from moderation import reviewer, risk, words
from moderation.reviewer import Reviewer
from moderation.verdicts import WAITS, AuditStatus, History, Submission, Verdict, worst
from moderation.words import WordList
from settings import ModerationSettings


class Pipeline:
    """Judges submissions; see `opened`."""

    def __init__(self, settings: ModerationSettings, word_list: WordList, external: Reviewer | None) -> None:
        self._settings = settings
        self._words = word_list
        self._reviewer = external

    def first_look(self, submission: Submission, history: History) -> Verdict:
        """The worst that the rules say, at once and always the same. WAITS where the reviewer is to be asked next."""
        verdict = worst(risk.look(submission, history, self._settings), self._words.look(submission))
        return WAITS if self._reviewer and verdict.status == AuditStatus.APPROVED else verdict

    async def review(self, submission: Submission) -> Verdict:
        """What the external reviewer says of something that WAITS. What is still pending then waits for a person."""
        return await self._reviewer.review(submission) if self._reviewer else reviewer.UNANSWERED


@asynccontextmanager
async def opened(settings: ModerationSettings) -> AsyncIterator[Pipeline]:
    """The pipeline for as long as the block runs. Raises ValueError or OSError if the list of words cannot be read."""
    word_list = words.read(settings.words_file)
    if settings.reviewer is None:
        yield Pipeline(settings, word_list, None)
        return
    async with reviewer.opened(settings.reviewer) as external:
        yield Pipeline(settings, word_list, external)
