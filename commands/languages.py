"""setLanguage: stores in Postgres in which language the viewer reads."""

from dataclasses import replace

from commands import suspended
from commands.users import checked_language
from context import Context
from store.people import users


async def set_language(context: Context, language: str | None) -> None:
    """Stores the language of the viewer; None removes it.

    Raises Unauthenticated, AccountDeleted, Unavailable; Refused with INVALID if the language is not a tag of BCP 47.
    """
    viewer_id, state = context.require_viewer().user_id, context.state
    chosen = None if language is None else checked_language(language, "language")
    async with state.postgres.transaction() as transaction:
        before = await users.lock(transaction, viewer_id)
        assert before is not None  # every viewer has a row
        suspended.check(context, before, may_write=True)
        after = replace(before, language=chosen)
        await users.update(transaction, before, after)
        fence = await users.fence_changed(state.cache, transaction, before, after)
    await state.cache.unfence(fence)
    context.forget()
