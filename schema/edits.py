"""The edit history of posts and comments: their earlier versions."""

from datetime import datetime
from typing import Any

import strawberry

from models.edits import EditRow
from resolvers import edit_history as resolve
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.fields import PAGE, listed, row_type
from schema.images import Attachment, Image


@strawberry.type(description="An earlier version of a post or comment, which an edit has replaced.")
class Edit:
    is_type_of = row_type(EditRow)

    text: str = strawberry.field(description="The text of this version. Can be empty if the version had images.")
    pictures: list[Image] = strawberry.field(name="images", description="The images of this version, in display order.")
    attachments: list[Attachment] = strawberry.field(
        description="The images, videos and audio files of this version, in display order."
    )
    created_at: datetime = strawberry.field(description="The time when the author wrote this version.")


@strawberry.type(description="An earlier version in a list of versions.")
class EditEdge(Edge[Edit]):
    pass


@strawberry.type(description="A page of a list of earlier versions.")
class EditConnection(Connection[Edit, EditEdge]):
    pass


def edit_history(noun: str, null: str) -> Any:
    """Declares the field `editHistory` of posts or comments, whose description names the `noun`. `null` says when the
    value is null.
    """
    return listed(
        resolve.of_rows,
        description=f"The earlier versions of this {noun}, newest first, at most 50. The current version is not among "
        f"them. The list is empty if this {noun} was never edited. The author and moderators read all versions. If the "
        "operator has made the edit history public, all who see "
        f"this {noun} read the versions that moderation had approved. {null}, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ALL, personal=True),
        **PAGE,
    )
