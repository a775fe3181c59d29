"""Pre-moderation: what waits for a moderator before it is published, whatever the other rules say."""

from domain import ids
from domain.moderation import spam
from domain.moderation.verdicts import APPROVED, AuditStatus, ModerationVerdict, Submission
from settings import ModerationSettings


class Premoderation:
    """The submissions that wait for a moderator. Raises ValueError if the settings name a topic that cannot exist."""

    def __init__(self, settings: ModerationSettings) -> None:
        self._settings = settings
        self._topics = set[str]()
        for given in settings.premoderate.topics:
            if (name := ids.topic(given)) is None:
                raise ValueError(f"premoderate in PLAUDIT_MODERATION: {given!r} is not a topic")
            self._topics.add(name)

    def check(self, submission: Submission) -> ModerationVerdict:
        """Returns a verdict that lets the submission wait, or APPROVED."""
        chosen = self._settings.premoderate
        if submission.business in chosen.businesses:
            return _waits(f"moderators approve everything in {submission.business}")
        if topic := next((topic for topic in submission.topics if topic in self._topics), None):
            return _waits(f"moderators approve everything about {topic}")
        if chosen.new_accounts and spam.is_new(submission, self._settings):
            return _waits("moderators approve everything of new accounts")
        return APPROVED


def _waits(reason: str) -> ModerationVerdict:
    return ModerationVerdict(AuditStatus.PENDING, reason)
