"""The query of the administration API."""

from typing import Any

import strawberry

from commands import admin
from schema.access import Rule, access
from schema.fields import Info
from schema.operations import OperationFields
from schema.webhooks import WebhookFields
from schema.word_lists import WordListFields


@strawberry.type(description="What operators read: persisted operations, webhooks and the word list of moderation.")
class Admin(OperationFields, WebhookFields, WordListFields):
    pass


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="What operators read, and the checks of their build pipelines. Requires a token with the scope "
        "`admin`, without restriction to businesses. Null only if `errors` has an error for it.",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    async def admin(self: Any, info: Info) -> Admin | None:
        return admin.require(info.context)  # type: ignore[return-value]
