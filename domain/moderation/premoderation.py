"""Pre-moderation: submissions that a moderator must approve, even if no rule objects."""

from domain import topics
from domain.moderation import spam
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings


class Premoderation:
    """Decides which submissions a moderator must approve: those of the businesses, topics and new accounts in the
    settings. Raises ValueError if the settings name a topic that cannot exist.
    """

    def __init__(self, settings: ModerationSettings) -> None:
        self._settings = settings
        self._topics = set[str]()
        for given in settings.premoderate.topics:
            if (name := topics.spelling(given)) is None:
                raise ValueError(f"premoderate in PLAUDIT_MODERATION: {given!r} is not a topic")
            self._topics.add(topics.key(name))

    def check(self, submission: Submission) -> ModerationVerdict:
        """Returns PENDING if a moderator must approve the submission, otherwise APPROVED."""
        chosen = self._settings.premoderate
        if submission.business in chosen.businesses:
            return _waits(f"moderators approve everything in {submission.business}")
        if name := next((name for name in submission.topics if topics.key(name) in self._topics), None):
            return _waits(f"moderators approve everything about {name}")
        if chosen.new_accounts and spam.is_new(submission, self._settings):
            return _waits("moderators approve everything of new accounts")
        return APPROVED


def _waits(reason: str) -> ModerationVerdict:
    return ModerationVerdict(AuditStatus.PENDING, reason)
