"""Reposts: the users who repost a post, and those of them who bring it into the viewer's home timeline."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from context import Context
from loaders.lists import ListPage
from models.counters import EntityRef
from models.follows import FollowState
from models.posts import PostRow
from models.users import UserRow
from resolvers import timelines
from resolvers.pages import Edge, Pages, Scope, Slice, check_first
from settings import POSTS, USERS
from store.cache.lists import Item
from store.groups import grouped
from store.reactions.reposts import REPOSTERS


@dataclass(frozen=True, slots=True)
class RepostedBy:
    """The users who bring a post into the viewer's home timeline: the newest ones, and the number of all."""

    nodes: Sequence[UserRow]
    total_count: int


async def reposters(context: Context, posts: Sequence[PostRow], first: int, after: str | None = None) -> Pages[UserRow]:
    """Resolves Post.reposters: a page of the users who repost each post, newest repost first; an exception for a page
    that cannot be read. Leaves out users whose reposts are hidden from the viewer. Raises BadInput unless `first` is 1
    to 100.
    """

    async def items(slices: Sequence[Slice]) -> Sequence[Sequence[Item]]:
        wanted = [ListPage(posts[of].ref, before, count) for of, before, count in slices]
        return await context.own.seen_reposters.ask(wanted, each=True)

    scopes = [Scope(f"reposters:{post.post_id}") for post in posts]
    return await timelines.people(context, scopes, first, after, items, context.content.likers_shown)


async def reposted_by(context: Context, edges: Sequence[Edge[PostRow]], first: int) -> Sequence[RepostedBy | None]:
    """Resolves PostEdge.repostedBy: the followed users who repost the post of each edge, at most `first` of them,
    newest repost first; None for edges that no repost has brought to their place. Only the newest reposters of a post
    are searched. Raises BadInput unless `first` is 1 to 100.
    """
    check_first(first)
    reposts = {edge.node.post_id: edge.home_reason.user_id for edge in edges if edge.home_reason}
    ids = [post_id for post_id, user in reposts.items() if user]
    lists = await context.lists.reposters.ask(
        [ListPage(EntityRef(POSTS, post_id), None, REPOSTERS, partial=True) for post_id in ids]
    )
    users = {
        post_id: dict.fromkeys([reposts[post_id], *(item.member for item in items)])
        for post_id, items in zip(ids, lists, strict=True)
    }
    shown = await shown_reposters(context, {user for some in users.values() for user in some})
    wanted = [(user, post_id) for post_id, some in users.items() for user in some if user in shown]
    stands = await context.lists.standing_reposts.ask(wanted)
    standing = grouped((post_id, user) for (user, post_id), yes in zip(wanted, stands, strict=True) if yes)
    everyone = sorted({user for some in standing.values() for user in some[:first]})
    rows = dict(zip(everyone, await context.content.users.ask(everyone), strict=True))
    found = {
        post_id: RepostedBy([row for user in some[:first] if (row := rows[user])], len(some))
        for post_id, some in standing.items()
    }
    return [found.get(edge.node.post_id) for edge in edges]


async def shown_reposters(context: Context, users: Collection[int]) -> Collection[int]:
    """Returns those of `users` whose reposts bring posts into the viewer's home timeline: the viewer follows them, and
    mutes neither them nor their reposts, and they are not hidden from the viewer. Raises Unavailable if this cannot be
    read.
    """
    if not users:
        return ()
    ids, boundaries = sorted(users), context.own.boundaries
    context.content.kept_users.ask(ids)
    states = await context.own.follows.ask(ids)
    followed = {user for user, state in zip(ids, states, strict=True) if state is FollowState.FOLLOWS}
    hidden = await context.content.visibility_in(USERS).hidden_users(followed)
    if error := next(filter(None, hidden.values()), None):
        raise error
    muted, threads = await boundaries.muted_among(followed), (await boundaries.get()).threads
    return {user for user in followed - {*hidden, *muted} if EntityRef(USERS, user) not in threads}
