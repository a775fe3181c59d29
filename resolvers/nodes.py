"""Anything by its id."""

from collections.abc import Sequence

from commands.targets import Target
from context import Context
from errors import BadInput
from ids import CommentId, EntityId, GlobalId, PostId, TopicId, UserId, ViewerId, parse_id
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.posts import PostRow
from models.topics import TopicRow
from models.users import UserRow, ViewerRow
from settings import COMMENTS, POSTS, Business
from store.entities import EntityKey

NodeRow = CommentRow | EntityRow | PostRow | TopicRow | UserRow | ViewerRow
MOST = 100


async def by_ids(context: Context, ids: Sequence[str]) -> list[NodeRow | None]:
    """Query.node and Query.nodes. Raises BadInput for too many, or for text that is no id."""
    if len(ids) > MOST:
        raise BadInput(f"At most {MOST} at a time.")
    parsed = [parse_id(id_) for id_ in ids]
    found = await _found(context, parsed)
    return [_viewer(context, one) if isinstance(one, ViewerId) else found.get(one) for one in parsed]


async def _found(context: Context, ids: Sequence[GlobalId]) -> dict[GlobalId, NodeRow | None]:
    """Those of all kinds but viewers; asked for before any is awaited, so that they share a trip."""
    loaders = context.loaders
    users = [one for one in ids if isinstance(one, UserId)]
    posts = [one for one in ids if isinstance(one, PostId)]
    comments = [one for one in ids if isinstance(one, CommentId)]
    topics = [one for one in ids if isinstance(one, TopicId)]
    keys = {one: key for one in ids if isinstance(one, EntityId) and (key := _key(context, one))}
    asked_users = loaders.users.ask([one.id for one in users])
    asked_posts = loaders.posts.ask([one.id for one in posts])
    asked_comments = loaders.comments.ask([one.id for one in comments])
    asked_topics = loaders.topics.ask([one.name for one in topics])
    asked_entities = loaders.entities.ask(list(keys.values()))
    return {
        **dict(zip(users, await asked_users, strict=True)),
        **dict(zip(posts, await asked_posts, strict=True)),
        **dict(zip(comments, await asked_comments, strict=True)),
        **dict(zip(keys, await asked_entities, strict=True)),
        **{one: TopicRow(one.name) for one, there in zip(topics, await asked_topics, strict=True) if there},
    }


async def targets(context: Context, business: Business, ids: Sequence[int]) -> Sequence[Target | None]:
    """What people react to in a business, by internal ids; without comments of which only their place is left."""
    if business.id == POSTS:
        return await context.loaders.posts.load_many(ids)
    if business.id == COMMENTS:
        rows = await context.loaders.comments.load_many(ids)
        return [row if row and not row.deleted else None for row in rows]
    return await context.loaders.entities_by_id.load_many([EntityRef(business.id, id_) for id_ in ids])


def _key(context: Context, id_: EntityId) -> EntityKey | None:
    business = context.state.external.get(id_.business)
    return (business.id, id_.key) if business else None


def _viewer(context: Context, id_: ViewerId) -> ViewerRow | None:
    """Nobody is another's viewer."""
    return ViewerRow(id_.id) if context.viewer and context.viewer.user_id == id_.id else None
