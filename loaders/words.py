"""Finds the posts and comments that the muted words of the viewer of one request hide."""

from collections.abc import Iterator, Sequence

from domain import muted_words
from domain.errors import Unavailable
from domain.muted_words import Match
from loaders.loader import Loader
from models.comments import CommentRow
from models.counters import EntityRef
from models.follows import FollowState
from models.posts import PostRow
from models.users import UserRow

Text = PostRow | CommentRow


async def muted_among(
    words: str,
    rows: Sequence[Text],
    users: Loader[int, UserRow | None],
    posts: Loader[int, PostRow | None],
    follows: Loader[int, FollowState],
    now_ms: int,
) -> set[EntityRef]:
    """Returns the references of those of the posts and comments `rows` that contain a word that mutes at the time
    `now_ms`, in milliseconds since the Unix epoch. `words` has all words of the viewer (domain/muted_words.py). The
    text, the descriptions of images, the name and the handle of the author, the topics of a post, and the text of a
    quoted post are searched.

    `users` and `posts` load authors and quoted posts, and `follows` whether the viewer follows users. Raises
    Unavailable if one of these cannot be read.
    """
    matcher = muted_words.matcher(words)
    if matcher.is_empty or not rows:
        return set()
    asked = users.ask([row.author_id for row in rows])
    quoted = [row.quote_of for row in rows if isinstance(row, PostRow) and row.quote_of and not row.detached]
    quotes = dict(zip(quoted, await posts.ask(quoted), strict=True)) if quoted else {}
    found: dict[EntityRef, Match] = {}
    for row, author in zip(rows, await asked, strict=True):
        quote = quotes.get(row.quote_of) if isinstance(row, PostRow) and row.quote_of else None
        topics = row.topic_names if isinstance(row, PostRow) else ()
        found[row.ref] = matcher.match(_texts(row, author, quote), topics, now_ms)
    unsure = [row for row in rows if found[row.ref] is Match.UNLESS_FOLLOWED]
    states = await follows.ask([row.author_id for row in unsure], each=True) if unsure else ()
    for row, state in zip(unsure, states, strict=True):
        if isinstance(state, Unavailable):
            raise state
        if state is FollowState.FOLLOWS:
            found[row.ref] = Match.NONE
    return {ref for ref, match in found.items() if match is not Match.NONE}


def _texts(row: Text, author: UserRow | None, quote: PostRow | None) -> Iterator[str]:
    for one in (row, quote):
        if one:
            yield one.text
            yield from (image.alt for image in one.images if image.alt)
    if author:
        yield author.display_name
        yield f"@{author.handle}"
