"""Rules for the texts of a profile and the names of public collections: which texts are refused at once, and which are
sent to the external reviewer.
"""

from collections.abc import Iterable, Sequence

from domain.errors import Refused, UserErrorCode
from domain.moderation.verdicts import AuditStatus, Submission
from domain.reserved_names import is_reserved
from domain.versions import version_at
from models.profiles import ProfileField
from models.users import UserRow
from state import State
from store.moderation import profile_reviews
from store.postgres.client import Transaction

_INPUTS = {ProfileField.HANDLE: "handle", ProfileField.DISPLAY_NAME: "displayName", ProfileField.BIO: "bio"} | {
    ProfileField.AVATAR: "avatarUrl"
}

_RESERVED = {ProfileField.HANDLE: UserErrorCode.HANDLE_TAKEN, ProfileField.DISPLAY_NAME: UserErrorCode.TEXT_NOT_ALLOWED}
"""The error for a reserved name, by the field of the profile that has this text."""


def changed(before: UserRow, after: UserRow) -> list[ProfileField]:
    """Returns the fields of a profile whose texts differ between the versions `before` and `after`."""
    return [one for one in ProfileField if getattr(before, one.attribute) != getattr(after, one.attribute)]


def check(state: State, user: UserRow, fields: Iterable[ProfileField]) -> None:
    """Raises Refused for the first of these fields of a profile whose text is a reserved name or is not allowed by the
    moderation rules.
    """
    for field in fields:
        code = _RESERVED.get(field)
        if code and is_reserved(getattr(user, field.attribute), state.settings.people.reserved_handles):
            raise Refused.because(code, f"This {field.label} is reserved.", _INPUTS[field])
        check_text(state, user.submission(field, state.now_ms()), _INPUTS[field])


def check_text(state: State, submission: Submission, field: str) -> None:
    """Raises Refused with TEXT_NOT_ALLOWED for a text that the moderation rules do not allow. `field` is the input
    field that the error names.
    """
    verdict = state.moderation.check_profile(submission)
    if verdict.status is not AuditStatus.APPROVED:
        message = f"This text is not allowed: {verdict.reason}."
        raise Refused.because(UserErrorCode.TEXT_NOT_ALLOWED, message, field)


def allows(state: State, user: UserRow, field: ProfileField) -> bool:
    """Returns whether the text of this field of a profile is allowed: it is no reserved name, and the moderation rules
    accept it.
    """
    try:
        check(state, user, [field])
    except Refused:
        return False
    return True


async def ask_reviewer(state: State, transaction: Transaction, user_id: int, fields: Sequence[ProfileField]) -> None:
    """Queues new texts of a profile for the external reviewer, if one is configured. Writes to the queue in the given
    transaction.
    """
    if state.moderation.has_reviewer:
        version = version_at(state.now_ms())
        await profile_reviews.ask(transaction, user_id, fields, state.keys.partition_of(user_id), version)
