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
from settings import POSTS
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
    unless_followed: dict[Text, int] = {}
    for (user, ref), row in rows.items():
        topics = row.topic_names if isinstance(row, PostRow) else ()
        searched = [row.text, *(image.alt for image in row.images if image.alt), *_names(authors.get(row.author_id))]
        match = muted_words.matcher(words[user]).match(searched, topics, now_ms)
        if match is Match.NONE or row.author_id == user:
            continue
        if match is Match.UNLESS_FOLLOWED:
            unless_followed[user, ref] = row.author_id
        else:
            found.add((user, ref))
    if unless_followed:
        pairs = {(user, author) for (user, _), author in unless_followed.items()}
        followed = await follows.following_among(state.postgres, pairs)
        found |= {text for text, author in unless_followed.items() if (text[0], author) not in followed}
    return found


async def labeled(
    state: State, texts: Collection[Text], contents: Contents, profiles: Mapping[int, UserRow]
) -> set[Text]:
    """Returns those of `texts` that labels of the post or comment, or of what a comment is on, hide from their
    recipient. An age band that only tokens state is not known here: then the one for unknown ages counts. `contents`
    has the posts and comments, and `profiles` the recipients. Raises PostgresDown.
    """
    labels = state.labels
    bits = {text: found for text in texts if (found := labels_of(contents, text[1]) & labels.known)}
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


def labels_of(contents: Contents, ref: EntityRef) -> int:
    """Returns the labels of a post or comment and, for a comment, of the post or entity that it is on, as bits
    (domain/labels.py).
    """
    row = contents.of(ref)
    bits = row.all_labels if row else 0
    if isinstance(row, CommentRow):
        post = contents.posts.get(row.post_id or 0)
        bits |= post.all_labels if post else contents.labeled.get(row.subject, 0)
    return bits


def _names(author: UserRow | None) -> tuple[str, ...]:
    return (author.display_name, f"@{author.handle}") if author else ()
