"""Facets: the links, mentions and topics in the texts of posts and comments."""

from typing import Any

import strawberry

import resolvers.facets as resolve
from domain.text_tokens import FacetKind
from schema.enums import describe_enum
from schema.fields import listed
from schema.topics import Topic
from schema.users import User

describe_enum(
    FacetKind,
    "The kind of a facet.",
    LINK="An address that begins with `http://`, `https://` or `www.`.",
    MENTION="A user, named by `@` and a handle.",
    TOPIC="A topic, named by `#` and its name.",
)


@strawberry.type(
    description="A link, mention or topic in a text, with its place in the text. A client shows it as a link and needs "
    "no regular expressions. The places of a text do not overlap, and are in the order of the text."
)
class Facet:
    kind: FacetKind = strawberry.field(description="The kind of this facet.")
    code_point_start: int = strawberry.field(
        description="The offset at which this facet begins, in Unicode code points. Python, Go (`[]rune`) and Swift "
        "(`unicodeScalars`) count code points."
    )
    code_point_end: int = strawberry.field(
        description="The offset before which this facet ends, in Unicode code points."
    )
    utf16_start: int = strawberry.field(
        description="The offset at which this facet begins, in UTF-16 code units. JavaScript, Java, Kotlin, C# and "
        "`NSString` count UTF-16 code units."
    )
    utf16_end: int = strawberry.field(description="The offset before which this facet ends, in UTF-16 code units.")
    user: User | None = listed(
        resolve.mentioned,
        description="The user whom a `MENTION` names: the user who had the handle when the text was stored, even if "
        "the user has another handle now. Null for other kinds, if no user had the handle, if the account was "
        "deleted, if the viewer may not see the user, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )
    topic: Topic | None = strawberry.field(
        description="The topic that a `TOPIC` names. The post can be missing in this topic's list: `Post.topics` has "
        "the topics of the post. Null for other kinds."
    )
    url: str | None = strawberry.field(
        description="The address of a `LINK`, with `https://` before an address that begins with `www.`. Null for "
        "other kinds."
    )


def facets() -> Any:
    """Declares the field `facets` of posts and comments."""
    return listed(
        resolve.of_texts,
        description="The links, mentions and topics in the text, in the order of the text: at most the first 100. "
        "Empty for a deleted comment.",
    )
