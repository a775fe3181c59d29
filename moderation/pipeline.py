"""The steps in their order: what the author has been doing, what the text has; then the external reviewer's turn."""

from moderation import risk, words
from moderation.verdicts import WAITS, AuditStatus, History, Submission, Verdict, worst
from settings import ModerationSettings


class Pipeline:
    """What judges at once. Raises ValueError or OSError if the list of words cannot be read."""

    def __init__(self, settings: ModerationSettings) -> None:
        self._settings = settings
        self._words = words.read(settings.words_file)

    def first_look(self, submission: Submission, history: History) -> Verdict:
        """The worst that the rules say, always the same. WAITS where the reviewer is to be asked next."""
        verdict = worst(risk.look(submission, history, self._settings), self._words.look(submission))
        return WAITS if self._settings.reviewer and verdict.status is AuditStatus.APPROVED else verdict
