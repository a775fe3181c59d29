"""Settings of the sizes of posts and comments (docs/reference/limits.md)."""

from typing import Annotated

from pydantic import Field

from settings.part import Part

Characters = Annotated[int, Field(ge=1, le=100_000)]
Items = Annotated[int, Field(ge=0, le=100)]
_LANGUAGES = (
    "arabic|armenian|basque|catalan|danish|dutch|english|finnish|french|german|greek|hindi|hungarian|indonesian|irish"
    "|italian|lithuanian|nepali|norwegian|portuguese|romanian|russian|serbian|spanish|swedish|tamil|turkish|yiddish"
)
"""The languages for which every supported Postgres has stems."""


class ContentSettings(Part):
    """The most that one post and one comment may contain, and the language of their texts."""

    post_characters: Characters = 5000
    """Characters of a post."""
    post_images: Items = 9
    """Images of a post."""
    post_topics: Items = 10
    """Topics of a post."""
    comment_characters: Characters = 2000
    """Characters of a comment."""
    comment_images: Items = 4
    """Images of a comment."""
    search_language: Annotated[str, Field(pattern=f"^({_LANGUAGES})?$")] = ""
    """The language of nearly all texts, by its English name, such as `german`. Search then reduces words to stems, so
    that `run` finds `running`. Empty: no stems. After a change, run `plaudit search rebuild`.
    """
