"""Content warnings and labels: those that authors set with their posts and comments, setLabels, with which moderators
set labels, and setLabelPreferences, with which viewers choose what they see of content with labels.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from commands import grounds, preferences, targets
from commands.changes import ModerationStep
from commands.targets import ReactableRow
from commands.write import Write
from context import Context
from domain import texts
from domain.digests import digest
from domain.errors import Refused, UserErrorCode
from domain.labels import Choice, LabelVisibility
from identity.permissions import ModeratorRole
from models.entities import EntityRow
from models.moderation_steps import LABEL
from models.preferences import number_of

LONGEST_WARNING = 200
"""The most characters of a content warning."""
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Warned:
    """The content warning and the labels of a new post or comment, or the changes to an existing one. In a change, None
    leaves a value as it is.
    """

    warning: str | None = None
    """The content warning; an empty text removes it."""
    labels: Sequence[str] | None = None
    """The names of the labels that the author sets. They replace those that the author has set before."""

    def checked(self, context: Context) -> "Warned":
        """Returns a copy with every value in the form in which it is stored. Raises Refused with TEXT_TOO_LONG or
        TEXT_INVALID for the warning, INVALID for a label that does not exist or that authors may not set.
        """
        if self.labels is not None:
            context.state.labels.bits_of(self.labels, "labels", author=True)
        if self.warning is None:
            return self
        return replace(self, warning=texts.user_text(self.warning, LONGEST_WARNING, "contentWarning"))

    @property
    def parts(self) -> list[Any]:
        """Returns the values that are compared to find out whether a request repeats an earlier one. Has only values
        that the request sets, so that other requests keep the fingerprints that are already stored.
        """
        parts: list[Any] = [] if self.warning is None else [["contentWarning", self.warning]]
        return parts if self.labels is None else [*parts, ["labels", sorted({*self.labels})]]

    def fields(self, context: Context) -> dict[str, Any]:
        """Returns the values as fields of a journal entry. Leaves out values that are None."""
        fields: dict[str, Any] = {} if self.warning is None else {"warning": self.warning}
        if self.labels is None:
            return fields
        return {**fields, "labels": context.state.labels.bits_of(self.labels, "labels", author=True)}


NOT_WARNED = Warned()


async def set_labels(
    context: Context,
    target_id: str,
    labels: Sequence[str],
    reason: str,
    idempotency_key: str | None,
    ground: str | None = None,
) -> ReactableRow:
    """Sets the labels of moderators on a post, comment or entity. They replace the labels that moderators, the rules
    and the external reviewer have set before, and leave those of the author or the service as they are. The author or
    owner is notified. `ground` is the name of the ground; None for none. Returns the target with the new labels.

    Raises Unauthenticated, Forbidden below the role MODERATOR and for an entity if the token is restricted to
    businesses, BadInput, Unavailable; Refused with TARGET_NOT_FOUND, TARGET_DELETED, NOT_ALLOWED for the viewer's own
    content, SUSPENDED, TEXT_TOO_LONG, TEXT_INVALID, IDEMPOTENCY_MISMATCH, or INVALID for an unknown label or ground and
    an empty reason.
    """
    moderator_id = context.require_role(ModeratorRole.MODERATOR).user_id
    names = sorted({*labels})
    parts = target_id, names, reason, *grounds.parts(ground)
    write = Write(context, "setLabels", idempotency_key, *parts, unless_suspended=True)
    reason = texts.user_text(reason, _LONGEST_REASON, "reason", empty=False)
    ground = grounds.check(context, ground)
    bits = context.state.labels.bits_of(names, "labels", author=False)
    async with write:
        row = await targets.reactable(context, target_id, "targetId")
        if isinstance(row, EntityRow):
            targets.check_unrestricted(context)
        targets.check_not_own(context, row, "targetId")
        about = {"business": row.ref.business_id, "entity": row.ref.entity_id}
        entry = orjson.dumps({"actor": moderator_id, **about, "labels": bits, "reason": reason, "ground": ground})
        await write.append(ModerationStep(LABEL, row.ref, entry))
    context.forget()
    return replace(row, moderator_labels=bits)


async def set_preferences(
    context: Context, wanted: Sequence[tuple[str, LabelVisibility | None]], idempotency_key: str | None
) -> None:
    """Sets what the viewer sees of content with some labels, given by name; None returns to the default. All labels are
    checked before the first is changed. Each choice is a preference of the viewer. A label with two choices, because a
    request failed on its way, has the stricter one, until the request is repeated.

    Raises Unauthenticated, AccountDeleted, BadInput, RateLimited, Unavailable; Refused with INVALID for an unknown
    label and for one that is listed twice, NOT_ALLOWED for a label that the viewer's age band fixes, or
    IDEMPOTENCY_MISMATCH.
    """
    context.require_viewer()
    labels = context.state.labels
    bits = [labels.bits_of([name], "preferences", str(i), "label", author=False) for i, (name, _) in enumerate(wanted)]
    if len({*bits}) < len(bits):
        raise Refused.because(UserErrorCode.INVALID, "A label is listed twice.", "preferences")
    audience = await context.content.labels.audience()
    changes: list[tuple[int, bool]] = []
    for i, (name, chosen) in enumerate(wanted):
        label = labels.named(name)
        assert label is not None  # `bits_of` has refused others
        if not labels.rule(label, audience.band).changeable:
            message = f"Your age band does not let you change the visibility of {label.title}."
            raise Refused.because(UserErrorCode.NOT_ALLOWED, message, "preferences", str(i))
        changes += [(number_of(Choice(label.id, one)), one is chosen) for one in LabelVisibility]
    parts = [[name, chosen and int(chosen)] for name, chosen in wanted]
    # The choices that are switched on come first, so that the stricter of two choices stands meanwhile.
    for on in (True, False):
        await asyncio.gather(*(_switch(context, *one, idempotency_key, parts) for one in changes if one[1] is on))
    context.forget()


async def _switch(context: Context, number: int, on: bool, key: str | None, parts: object) -> None:
    """Switches one choice on or off. The name of the write is made of the client's idempotency key, so a repeated
    request makes no second write.
    """
    own = None if key is None else digest(texts.identifier(key, "An idempotency key", 128), str(number))
    await preferences.switch(context, "setLabelPreferences", number, on, own, parts)
