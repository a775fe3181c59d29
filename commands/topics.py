"""The topics of posts and entities: checks names that are given, and takes the stored spelling of topics that exist."""

from collections.abc import Sequence

from context import Context
from domain import topics
from domain.errors import Refused, UserErrorCode
from domain.text_tokens import FacetKind, tokens


def checked(given: Sequence[str], most: int, *path: str) -> list[str]:
    """Returns the names of topics in the form in which they are stored, without duplicates. Raises Refused with
    TOO_MANY_TOPICS for more than `most` topics, or with TOPIC_INVALID for a text that cannot be a topic. `path` is the
    path of the input object whose field `topics` has the names.
    """
    if len(given) > most:
        raise Refused.because(UserErrorCode.TOO_MANY_TOPICS, f"At most {most} topics.", *path, "topics")
    names = dict[str, str]()
    for at, topic in enumerate(given):
        if (name := topics.spelling(topic)) is None:
            raise Refused.because(UserErrorCode.TOPIC_INVALID, topics.RULE, *path, "topics", str(at))
        names.setdefault(topics.key(name), name)
    return list(names.values())


def with_named(text: str, names: Sequence[str], most: int) -> list[str]:
    """Returns names of topics and, after them, the topics that a text names, without duplicates. Leaves out the last
    ones of the text if there are more than `most`.
    """
    found = {topics.key(name): name for name in names}
    for token in tokens(text):
        if len(found) < most and token.kind is FacetKind.TOPIC:
            found.setdefault(topics.key(token.value), token.value)
    return list(found.values())


async def with_known_spelling(context: Context, names: Sequence[str] | None) -> Sequence[str] | None:
    """Returns the names of topics in the spelling that is stored. A topic that does not exist, or cannot be read, keeps
    the spelling of `names`. None stays None.
    """
    if not names:
        return names
    known = await context.content.topics.ask([topics.key(name) for name in names], each=True)
    return [name if isinstance(name, str) else own for name, own in zip(known, names, strict=True)]
