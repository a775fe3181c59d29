"""The order of moderation: the author's recent behaviour and the text, then the external reviewer."""

from domain.moderation import risk, words
from domain.moderation.verdicts import WAITS, AuditStatus, ModerationVerdict, Submission, SubmissionHistory, worst
from settings import ModerationSettings


class Pipeline:
    """The rules that decide at once. Raises ValueError or OSError if the word list cannot be read."""

    def __init__(self, settings: ModerationSettings) -> None:
        self._settings = settings
        self._words = words.read(settings.words_file)

    @property
    def asks_reviewer(self) -> bool:
        """Whether the external reviewer is asked about submissions to which no rule objects."""
        return self._settings.reviewer is not None

    def look_at_profile(self, submission: Submission) -> ModerationVerdict:
        """Returns the verdict of the rules on a text of a profile. It is not compared with the user's other
        submissions.
        """
        return worst(risk.look_at_links(submission, self._settings), self._words.look(submission))

    def first_look(self, submission: Submission, history: SubmissionHistory) -> ModerationVerdict:
        """Returns the most severe verdict of the rules; WAITS if the external reviewer must be asked. The same
        submission always gets the same verdict.
        """
        verdict = worst(risk.look(submission, history, self._settings), self._words.look(submission))
        return WAITS if self._settings.reviewer and verdict.status is AuditStatus.APPROVED else verdict
