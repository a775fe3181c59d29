"""Finds the posts and comments in events of notifications that the recipients do not want to see: they contain a word
that the recipient mutes, or the recipient hides the post. `loaders/words.py` does the same for requests, and also
searches quoted posts.
"""

from collections.abc import Collection

from domain import muted_words
from domain.muted_words import Match
from models.counters import EntityRef
from models.posts import PostRow
from models.users import UserRow
from settings import POSTS, USERS
from state import State
from store.notifications.recipients import Contents
from store.people import follows, hidden_posts, users

Text = tuple[int, EntityRef]
"""The id of a recipient, and a post or comment."""


async def unwanted(state: State, texts: Collection[Text], contents: Contents) -> set[Text]:
    """Returns those of `texts` that their recipient does not want to see. `contents` has the posts and comments. Raises
    PostgresDown.
    """
    recipients = sorted({user for user, _ in texts})
    posts = sorted({ref.entity_id for _, ref in texts if ref.business_id == POSTS})
    hidden = await hidden_posts.hidden_among(state.postgres, recipients, posts) if posts else set()
    found = {(user, ref) for user, ref in texts if ref.business_id == POSTS and (user, ref.entity_id) in hidden}
    words = await hidden_posts.words_of(state.postgres, recipients) if recipients else {}
    rows = {(user, ref): row for user, ref in texts if user in words and (row := contents.of(ref))}
    authors = await users.by_id(state.postgres, sorted({row.author_id for row in rows.values()})) if rows else {}
    now_ms = state.now_ms()
    for (user, ref), row in rows.items():
        topics = row.topic_names if isinstance(row, PostRow) else ()
        searched = [row.text, *(image.alt for image in row.images if image.alt), *_names(authors.get(row.author_id))]
        match = muted_words.matcher(words[user]).match(searched, topics, now_ms)
        if match is Match.UNLESS_FOLLOWED and await _follows(state, user, row.author_id):
            continue
        if match is not Match.NONE and row.author_id != user:
            found.add((user, ref))
    return found


async def _follows(state: State, user_id: int, author_id: int) -> bool:
    members = await follows.own_rows(state.postgres, user_id, USERS, [EntityRef(USERS, author_id)], 0)
    return any(member.state == 1 for member in members)


def _names(author: UserRow | None) -> tuple[str, ...]:
    return (author.display_name, f"@{author.handle}") if author else ()
