"""notice: a person with or without an account tells the moderators that content is illegal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import orjson

from commands import targets
from commands.changes import Change, DirectWrite, Fields
from commands.targets import ReportTarget
from commands.write import Write
from context import Context
from domain import texts
from domain.errors import BadInput, Refused, UserErrorCode
from domain.notice_numbers import NoticePlace, notice_id, number_of
from models.base import at
from models.comments import CommentRow
from models.counters import EntityRef
from models.devices import device_actor, known_network
from models.notices import NOTICE
from state import State
from store.write_log.operations import Operation, Outcome, Status

TRUSTED = "notices:trusted"
"""The scope of the tokens of trusted flaggers (DSA 22)."""
LONGEST_EXPLANATION = 2000
LONGEST_LAW = 200
LONGEST_NAME = 200
LONGEST_EMAIL = 254
_LONGEST_PROOF = 8192
_EMAIL = re.compile(r"[^\s@<>()\[\]\\,;:\"]+@[^\s@<>()\[\]\\,;:\"]+")
_NO_DEVICE = "notice"
"""The name of the device of a caller who names none. All of them at one network address write as one actor."""


@dataclass(frozen=True, slots=True)
class NoticeContent:
    """The content of a notice as a client sends it. `unnamed` says that the person stays without a name, because the
    content shows sexual abuse of a child. `good_faith` is the statement that what the notice says is accurate.
    """

    explanation: str
    law: str
    name: str | None
    email: str | None
    good_faith: bool
    unnamed: bool

    @property
    def parts(self) -> tuple[object, ...]:
        """Returns the values for the fingerprint of the request."""
        return self.explanation, self.law, self.name, self.email, self.good_faith, self.unnamed

    def checked(self) -> "NoticeContent":
        """Returns the content as it is stored. Raises Refused with INVALID for a missing text, a malformed e-mail
        address, and without the statement of good faith; with TEXT_TOO_LONG or TEXT_INVALID for a text that cannot be
        stored.
        """
        if not self.good_faith:
            message = "State that you believe in good faith that your notice is accurate and complete."
            raise Refused.because(UserErrorCode.INVALID, message, "goodFaith")
        name, email = _line(self.name, LONGEST_NAME, "name"), _line(self.email, LONGEST_EMAIL, "email")
        for field, value in (("name", name), ("email", email)):
            if value is None and not self.unnamed:
                message = "This may be missing only in a notice about sexual abuse of a child, with `unnamed`."
                raise Refused.because(UserErrorCode.INVALID, message, field)
        if email is not None and not _EMAIL.fullmatch(email):
            raise Refused.because(UserErrorCode.INVALID, "This is not an e-mail address.", "email")
        explanation = texts.user_text(self.explanation, LONGEST_EXPLANATION, "explanation", empty=False)
        law = _line(self.law, LONGEST_LAW, "law")
        if law is None:
            raise Refused.because(UserErrorCode.INVALID, "This field cannot be empty.", "law")
        return NoticeContent(explanation, law, name, email, self.good_faith, self.unnamed)


class NoticeReceipt(NamedTuple):
    """The receipt of a notice: its number, with which the person reads the decision, and when it was received."""

    number: str
    received_at: datetime


@dataclass(frozen=True, slots=True)
class _Sent(Change):
    """A new notice about the object `ref`. `number` is that of its receipt, `at_ms` the time in milliseconds since the
    Unix epoch, and `data` the JSON of the journal entry. The outcome has the number and the time, so that a repeated
    request gets the same receipt.
    """

    ref: EntityRef
    number: str
    at_ms: int
    data: bytes

    async def journal(self, state: State, actor_id: int, operation: Operation) -> Outcome:
        """Appends the notice to the journal, at most once for the same `operation`. The status of the outcome is DONE,
        or says why nothing was appended.
        """
        return await state.patches.append(actor_id, NOTICE, operation, self.data, self.value)

    async def entries(self, _: DirectWrite) -> Sequence[Fields] | Status:
        """Returns the journal entry of the notice."""
        return [{"kind": NOTICE, "data": self.data}]

    @property
    def value(self) -> str:
        """Returns a space, the number of the receipt, a colon and the time."""
        return f" {self.number}:{self.at_ms}"

    @property
    def about(self) -> EntityRef | None:
        """Returns the object that the notice is about."""
        return self.ref


async def notice(
    context: Context, target_id: str, content: NoticeContent, proof: str | None, idempotency_key: str | None
) -> NoticeReceipt:
    """Stores a notice about a post, comment, user or entity, exactly once. The caller needs no account. `proof` is the
    token of the captcha, if the deployment asks for one. Returns the receipt.

    Raises BadInput, Forbidden, Unauthenticated (a deleted account), Unavailable, also if the captcha cannot be checked;
    Refused with TARGET_NOT_FOUND, TARGET_DELETED, TEXT_TOO_LONG, TEXT_INVALID, IDEMPOTENCY_MISMATCH, or INVALID for a
    missing or malformed value, a missing statement of good faith, and a captcha that is not solved.
    """
    state, client = context.state, context.client
    actor_id = context.actor_id
    if actor_id is None:
        actor_id = device_actor(state.settings.signing_key, client.ip, _NO_DEVICE)
    if proof is not None and len(proof) > _LONGEST_PROOF:
        raise BadInput(f"`proof` has at most {_LONGEST_PROOF} characters.")
    write = Write(context, "notice", idempotency_key, target_id, *content.parts, actor_id=actor_id)
    content = content.checked()
    async with write:
        await write.ready()
        await _check_captcha(context, proof)
        target = await targets.noticeable(context, target_id, "targetId")
        id_ = notice_id(state.settings.signing_key, actor_id, write.operation.name, write.operation.fingerprint)
        number, at_ms = number_of(NoticePlace(*target.ref, id_)), state.now_ms()
        await write.append(_Sent(target.ref, number, at_ms, _entry(context, actor_id, target, id_, content)))
    context.forget()
    number, _, received_ms = (write.outcome.value or "").partition(":")
    return NoticeReceipt(number, at(int(received_ms)))


async def _check_captcha(context: Context, proof: str | None) -> None:
    """Raises Refused if the deployment asks anonymous callers for a captcha, and `proof` is not the token of a solved
    one; Unavailable if the captcha service does not answer. Callers with a token need none.
    """
    captcha = context.state.captcha
    if captcha is None or context.viewer:
        return
    if not proof or not await captcha.is_solved(proof, known_network(context.client.ip)):
        message = "Solve the captcha, and pass its token as `proof`. A token is good for one notice."
        raise Refused.because(UserErrorCode.INVALID, message, "proof")


def _entry(context: Context, actor_id: int, target: ReportTarget, id_: int, content: NoticeContent) -> bytes:
    business_id, entity_id = target.ref
    about = target.subject_business if isinstance(target, CommentRow) else business_id
    what = {"business": business_id, "entity": entity_id, "about": about, "owner": targets.author_of(target)}
    said = {"law": content.law, "explanation": content.explanation, "name": content.name, "email": content.email}
    trusted = context.viewer is not None and TRUSTED in context.viewer.scopes
    return orjson.dumps({"actor": actor_id, **what, "notice": id_, **said, "trusted": trusted})


def _line(text: str | None, longest: int, field: str) -> str | None:
    """Returns a text of one line as it is stored; None if it is missing or empty. Raises Refused if it cannot be
    stored.
    """
    checked = texts.user_text(text, longest, field) if text else ""
    if "\n" in checked:
        raise Refused.because(UserErrorCode.TEXT_INVALID, "This text must be one line.", field)
    return checked or None
