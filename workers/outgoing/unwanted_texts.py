"""Finds the posts and comments in events of notifications that the recipients do not want to see: they contain a word
that the recipient mutes, or the recipient hides the post. `loaders/words.py` does the same for requests, and also
searches quoted posts. Also finds those that labels hide from the recipients, as `loaders/labels.py` does for requests.
"""

from collections.abc import Collection, Mapping

from domain import muted_words
from domain.labels import Audience
from domain.muted_words import Match
from models.comments import CommentRow
from models.counters import EntityRef
from models.posts import PostRow
from models.users import UserRow
from settings import POSTS, USERS
from state import State
from store.notifications import preferences
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


async def labeled(
    state: State, texts: Collection[Text], contents: Contents, profiles: Mapping[int, UserRow]
) -> set[Text]:
    """Returns those of `texts` that labels of the post or comment, or of the post of a comment, hide from their
    recipient. An age band that only tokens state is not known here: then the one for unknown ages counts. `contents`
    has the posts and comments, and `profiles` the recipients. Raises PostgresDown.
    """
    labels = state.labels
    bits = {text: found for text in texts if (found := _labels(contents, text[1]) & labels.known)}
    if not bits:
        return set()
    users_ = sorted({user for user, _ in bits})
    choices = await preferences.label_choices_of(state.postgres, users_)
    hidden = {
        user: labels.hidden(
            Audience(labels.band(one.age_band if (one := profiles.get(user)) else None), choices.get(user, frozenset()))
        )
        for user in users_
    }
    return {text for text, found in bits.items() if found & hidden[text[0]]}


def _labels(contents: Contents, ref: EntityRef) -> int:
    row = contents.of(ref)
    post = contents.posts.get(row.post_id or 0) if isinstance(row, CommentRow) else None
    return (row.all_labels if row else 0) | (post.all_labels if post else 0)


async def _follows(state: State, user_id: int, author_id: int) -> bool:
    members = await follows.own_rows(state.postgres, user_id, USERS, [EntityRef(USERS, author_id)], 0)
    return any(member.state == 1 for member in members)


def _names(author: UserRow | None) -> tuple[str, ...]:
    return (author.display_name, f"@{author.handle}") if author else ()
