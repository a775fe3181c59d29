"""Pinned posts: User.pinnedPosts."""

from collections.abc import Sequence
from itertools import chain

from context import Context
from models.pinned_posts import PinnedPosts
from models.posts import PostRow
from models.users import UserRow
from resolvers.pages import check_first


async def of_users(context: Context, users: Sequence[UserRow], first: int) -> list[list[PostRow] | Exception]:
    """Resolves User.pinnedPosts: up to `first` pinned posts of each user, newest pin first; an exception for a user
    whose pinned posts cannot be read. Leaves out posts that are not public or that the viewer may not see. Raises
    BadInput unless `first` is 1 to 100.
    """
    check_first(first)
    content, memory = context.content, context.shared.memories.pinned_posts
    keys = [user.user_id for user in users]
    asked = content.pinned_posts.ask(keys, each=True)
    content.posts.ask([*chain.from_iterable(memory.of(keys))])  # in the round trip of the pins
    found = await asked
    pinned = {key: pins.post_ids for key, pins in zip(keys, found, strict=True) if isinstance(pins, PinnedPosts)}
    memory.remember({key: ids or None for key, ids in pinned.items()})
    ids = sorted({*chain.from_iterable(pinned.values())})
    posts = dict(zip(ids, await content.posts.ask(ids, each=True), strict=True)) if ids else {}

    def shown(pins: PinnedPosts | Exception) -> list[PostRow] | Exception:
        if isinstance(pins, Exception):
            return pins
        some = [posts[id_] for id_ in pins.post_ids]
        if error := next((post for post in some if isinstance(post, Exception)), None):
            return error
        return [post for post in some if isinstance(post, PostRow) and post.is_public][:first]

    return list(map(shown, found))
