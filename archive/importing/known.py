"""Finds the users, entities, posts, comments and collections to which records refer. Reads those of a whole chunk of
records with one statement for each kind.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from archive.fields import CommentTarget, EntityTarget, IssuedUser, PostTarget, Target, UserRef
from archive.importing.patience import patiently
from domain.errors import BadInput
from domain.ids import CollectionId, CommentId, PostId, parse_id
from models.counters import EntityRef
from settings import COMMENTS, FIRST_EXTERNAL, POSTS
from state import State
from store.archive import chunks, content, imported_ids
from store.archive.content import Comment
from store.archive.declared import Declared
from store.content import erasures
from store.people.identities import Identity, users_of
from store.postgres.client import Reader

_MOST_REMEMBERED = 200_000
"""The most objects of each kind that are kept in memory after they were read."""
Native = PostId | CommentId | CollectionId
K = TypeVar("K")
V = TypeVar("V")


class Unknown(Exception):
    """Raised if a record refers to an object that does not exist. The message names the object."""


class Found(NamedTuple):
    """The target of a reaction or save: its reference, and the user who owns it."""

    ref: EntityRef
    owner_id: int | None


class Known(NamedTuple):
    """The existing objects to which a chunk of records refers. `erased` has the entities that are being erased or were
    erased, among these objects and among the subjects of the comments. `deleted` has the users among `users` whose
    accounts are being deleted or were deleted.
    """

    issuer: str
    users: Mapping[UserRef, int]
    entities: Mapping[tuple[str, str], Found]
    posts: Mapping[str, Found]
    comments: Mapping[str, Comment]
    erased: Collection[EntityRef]
    deleted: Collection[int]

    def user(self, ref: UserRef) -> int:
        """Returns the id of a user. Raises Unknown if there is no such user, or if the account is being deleted."""
        if ref not in self.users or self.users[ref] in self.deleted:
            issuer, external_id = identity_of(ref, self.issuer)
            raise Unknown(f"There is no user {external_id} of the issuer {issuer}.")
        return self.users[ref]

    def target(self, ref: Target) -> Found:
        """Returns an entity, post or comment. Raises Unknown if it does not exist, or if its entity is erased."""
        match ref:
            case EntityTarget() if found := self.entities.get((ref.business, ref.key)):
                if found.ref in self.erased:
                    raise Unknown(f"The entity {ref.business}:{ref.key} is being erased.")
                return found
            case EntityTarget():
                raise Unknown(f"There is no entity {ref.business}:{ref.key}.")
            case PostTarget() if found := self.posts.get(ref.post):
                return found
            case PostTarget():
                raise Unknown(f"There is no post {ref.post}.")
        comment = self.comment(ref.comment)
        return Found(EntityRef(COMMENTS, comment.id), comment.author_id)

    def comment(self, name: str) -> Comment:
        """Returns a comment, given by its id of the archive. Raises Unknown if it does not exist."""
        if name not in self.comments or self.comments[name].subject in self.erased:
            raise Unknown(f"There is no comment {name}.")
        return self.comments[name]

    async def removed(self, source: Reader) -> tuple[set[EntityRef], set[int]]:
        """Reads which of these entities, and of the subjects of the comments, are being erased or were erased, and
        which of these users are being deleted or were deleted. A removal can begin during the import.
        """
        refs = {one.ref for one in self.entities.values()} | {one.subject for one in self.comments.values()}
        external = {ref for ref in refs if ref.business_id >= FIRST_EXTERNAL}
        return await erasures.among(source, external), await chunks.deleted_among(source, {*self.users.values()})


class Library:
    """Reads the objects that exist, and keeps some of them in memory. A reference without an issuer names a user of
    `issuer`. `declared` has the objects that the checked archive would create; None if this is no check.
    """

    def __init__(self, state: State, issuer: str, declared: Declared | None = None) -> None:
        self._state = state
        self.issuer = issuer
        self.declared = declared
        self._users: dict[UserRef, int] = {}
        self._entities: dict[tuple[str, str], Found] = {}
        self._posts: dict[str, Found] = {}
        self._comments: dict[str, Comment] = {}

    async def known(
        self, users: Iterable[UserRef] = (), targets: Iterable[Target] = (), comments: Iterable[str] = ()
    ) -> Known:
        """Returns those of these objects that exist: `users`, the entities, posts and comments in `targets`, and the
        comments that have the ids `comments` in the archive.
        """
        wanted = list(targets)
        external = self._state.external
        places = {(one.business, one.key) for one in wanted if isinstance(one, EntityTarget)}
        posts = {one.post for one in wanted if isinstance(one, PostTarget)}
        names = {one.comment for one in wanted if isinstance(one, CommentTarget)} | {*comments}
        found = await _remembered(self._entities, {one for one in places if one[0] in external}, self._read_entities)
        said = await _remembered(self._comments, names, self._read_comments)
        people = await _remembered(self._users, {*users}, self._read_users)
        written = await _remembered(self._posts, posts, self._read_posts)
        known = Known(self.issuer, people, found, written, said, (), ())
        erased, deleted = await patiently(lambda: known.removed(self._state.postgres))
        return known._replace(erased=erased, deleted=deleted)

    async def _read_users(self, unknown: set[UserRef]) -> dict[UserRef, int]:
        identities = {ref: identity_of(ref, self.issuer) for ref in unknown}
        found = await users_of(self._state.postgres, sorted({*identities.values()}))
        declared = self._declared("user", {name_of_user(one) for one in identities.values() if one not in found})
        found |= {identity_of_name(name): facts[0] for name, facts in declared.items()}
        return {ref: found[identity] for ref, identity in identities.items() if identity in found}

    async def _read_entities(self, unknown: set[tuple[str, str]]) -> dict[tuple[str, str], Found]:
        external = self._state.external
        rows = await self._state.entities.by_key(sorted((external[name].id, key) for name, key in unknown))
        found = {(row.business, row.key): Found(row.ref, row.owner_id) for row in rows.values()}
        names = {" ".join(place): place for place in unknown if place not in found}
        return found | {names[name]: _found(facts) for name, facts in self._declared("entity", names).items()}

    async def _read_posts(self, unknown: set[str]) -> dict[str, Found]:
        ids = await self.ids("post", unknown, PostId)
        authors = await content.authors_of_posts(self._state.postgres, ids.values())
        found = {name: Found(EntityRef(POSTS, id_), authors[id_]) for name, id_ in ids.items() if id_ in authors}
        declared = self._declared("post", unknown - found.keys())
        return found | {name: _found(facts) for name, facts in declared.items()}

    async def _read_comments(self, unknown: set[str]) -> dict[str, Comment]:
        ids = await self.ids("comment", unknown, CommentId)
        rows = await content.comments(self._state.postgres, ids.values())
        found = {name: rows[id_] for name, id_ in ids.items() if id_ in rows}
        for name, (id_, author_id, subject, root_id) in self._declared("comment", unknown - found.keys()).items():
            found[name] = Comment(id_, author_id, EntityRef(*subject), root_id)
        return found

    async def ids(self, kind: str, names: Collection[str], of: type[Native]) -> dict[str, int]:
        """Returns the ids of posts, comments or collections (`kind`) in Plaudit, by their ids in the archive (`names`).
        An id in the archive that is a global id of the type `of` contains the id in Plaudit. Leaves out all other
        objects that were not imported.
        """
        ids = await imported_ids.read(self._state.postgres, kind, names)
        return ids | {name: id_ for name in names if name not in ids and (id_ := _native_id(name, of))}

    async def collections(self, wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], int]:
        """Returns the ids of collections in Plaudit. `wanted` has the id of each collection in the archive and the user
        who owns it. Leaves out collections that do not exist.
        """
        names, users = {name for name, _ in wanted}, {user for _, user in wanted}
        ids = await self.ids("collection", names, CollectionId)
        pairs = await content.collections_of(self._state.postgres, ids.values(), users)
        found = {(name, user): ids[name] for name, user in wanted if (ids.get(name), user) in pairs}
        declared = self._declared("collection", names - {name for name, _ in found})
        return found | {(name, owner_id): id_ for name, (id_, owner_id) in declared.items()}

    def _declared(self, kind: str, names: Collection[str]) -> dict[str, list[Any]]:
        return self.declared.read(kind, names) if self.declared and names else {}


def identity_of(ref: UserRef, issuer: str) -> Identity:
    """Returns the issuer and external id of a user. Without an issuer in the reference, it is `issuer`."""
    return (ref.issuer, ref.external_id) if isinstance(ref, IssuedUser) else (issuer, ref)


def name_of_user(identity: Identity) -> str:
    """Returns the name under which a check remembers a user. Ids contain no line breaks."""
    return "\n".join(identity)


def identity_of_name(name: str) -> Identity:
    """Returns the identity whose name `name_of_user` has returned."""
    issuer, _, external_id = name.partition("\n")
    return issuer, external_id


async def _remembered(
    memory: dict[K, V], wanted: set[K], read: Callable[[set[K]], Awaitable[dict[K, V]]]
) -> dict[K, V]:
    """Returns the values for the keys `wanted`. Takes them from `memory`, or else calls `read`, and adds what it
    returns to `memory`. Leaves out keys for which `read` finds nothing.
    """
    found = {key: memory[key] for key in wanted if key in memory}
    if unknown := wanted - found.keys():
        new = await patiently(lambda: read(unknown))
        if len(memory) > _MOST_REMEMBERED:
            memory.clear()
        memory |= new
        found |= new
    return found


def _native_id(name: str, of: type[Native]) -> int | None:
    """Returns the number in a global id of this type, such as 7 in `Post:7`; None for any other text."""
    if ":" not in name:
        return None
    try:
        parsed = parse_id(name)
    except BadInput:
        return None
    return parsed.id if isinstance(parsed, of) else None


def _found(facts: list[Any]) -> Found:
    business_id, entity_id, owner_id = facts
    return Found(EntityRef(business_id, entity_id), owner_id)
