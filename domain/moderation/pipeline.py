"""The steps in their order: what the author has been doing, what the text has; then the external reviewer's turn."""

from domain.moderation import risk, words
from domain.moderation.verdicts import WAITS, AuditStatus, ModerationVerdict, Submission, SubmissionHistory, worst
from settings import ModerationSettings


class Pipeline:
    """What judges at once. Raises ValueError or OSError if the list of words cannot be read."""

    def __init__(self, settings: ModerationSettings) -> None:
        self._settings = settings
        self._words = words.read(settings.words_file)

    @property
    def asks_reviewer(self) -> bool:
        """Whether the external reviewer is to be asked about what nothing objects to."""
        return self._settings.reviewer is not None

    def look_at_profile(self, submission: Submission) -> ModerationVerdict:
        """What the rules say of a text of a profile, which is not compared with what its owner has submitted."""
        return worst(risk.look_at_links(submission, self._settings), self._words.look(submission))

    def first_look(self, submission: Submission, history: SubmissionHistory) -> ModerationVerdict:
        """The worst that the rules say, always the same. WAITS where the reviewer is to be asked next."""
        verdict = worst(risk.look(submission, history, self._settings), self._words.look(submission))
        return WAITS if self._settings.reviewer and verdict.status is AuditStatus.APPROVED else verdict
