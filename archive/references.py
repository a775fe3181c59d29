"""Finds the names by which records refer to users, entities, posts, comments and collections. Rows refer to them by
internal ids.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from archive.fields import CommentTarget, EntityTarget, IssuedUser, PostTarget, Target, UserRef
from archive.personal import AnyTarget, CollectionTarget, UserTarget
from domain.ids import CollectionId, CommentId, PostId, UserId
from domain.labels import Labels
from models.counters import EntityRef
from settings import COLLECTIONS, COMMENTS, FIRST_EXTERNAL, POSTS, USERS
from state import State
from store.archive import lookups
from store.people.identities import Identity

_IMPORTED = {POSTS: "post", COMMENTS: "comment", COLLECTIONS: "collection"}
NO_IDENTITY = "plaudit:no-identity"
"""The issuer in references to users who have no identity. No identity provider has this issuer, so nobody can sign in
as such a user after an import.
"""


def identity_of(user_id: int, found: Mapping[int, Identity]) -> Identity:
    """Returns the identity by which an export of everything names a user. `found` has identities by user id. Returns a
    made-up identity for a user who has none.
    """
    return found.get(user_id) or (NO_IDENTITY, UserId.text(user_id))


@dataclass(frozen=True, slots=True)
class References:
    """The names of the objects to which the rows of one page of an export refer."""

    users: Mapping[int, UserRef]
    """References of users, by user id. A user who is not among them is named by a text such as `User:7`."""
    keys: Mapping[EntityRef, str]
    """The keys of entities."""
    subjects: Mapping[int, int]
    """For each comment, by its id, the number of the business of its subject: the post or entity that it is on.
    Comments to which the export does not refer are left out.
    """
    businesses: Mapping[int, str]
    """The names of the businesses that are configured, by number."""
    labels: Labels
    """The configured labels."""
    names: Mapping[EntityRef, str]
    """The ids that imported posts, comments and collections had in the archive. Other objects have global ids in
    records.
    """
    owners: Mapping[EntityRef, int]
    """The owners of collections."""

    def user(self, user_id: int) -> UserRef:
        """Returns the reference of a user."""
        return self.users.get(user_id) or UserId.text(user_id)

    def business(self, business_id: int) -> str:
        """Returns the name of a business; its number as a text if it is not configured any more."""
        return self.businesses.get(business_id, str(business_id))

    def label_names(self, bits: int) -> tuple[str, ...]:
        """Returns the names of labels. Labels that are not configured any more have none."""
        return tuple(label.name for label in self.labels.in_bits(bits))

    def post(self, post_id: int) -> str:
        """Returns the id of a post in the archive."""
        return self.names.get(EntityRef(POSTS, post_id)) or PostId.text(post_id)

    def comment(self, subject_business: int, comment_id: int) -> str:
        """Returns the id of a comment in the archive. `subject_business` is the number of its subject's business."""
        return self.names.get(EntityRef(COMMENTS, comment_id)) or CommentId.text(subject_business, comment_id)

    def collection(self, owner_id: int, collection_id: int) -> str:
        """Returns the id of a collection in the archive."""
        return self.names.get(EntityRef(COLLECTIONS, collection_id)) or CollectionId.text(owner_id, collection_id)

    def target(self, ref: EntityRef) -> Target | None:
        """Returns the reference of a post, comment or entity; None if it is not stored."""
        if ref.business_id == POSTS:
            return PostTarget(post=self.post(ref.entity_id))
        if ref.business_id == COMMENTS:
            subject = self.subjects.get(ref.entity_id)
            return None if subject is None else CommentTarget(comment=self.comment(subject, ref.entity_id))
        key = self.keys.get(ref)
        return None if key is None else EntityTarget(business=self.business(ref.business_id), key=key)

    def any_target(self, ref: EntityRef) -> AnyTarget | None:
        """Returns the reference of a user, post, comment, entity or collection; None if it is not stored, or if the
        owner of the collection is not known.
        """
        if ref.business_id == COLLECTIONS:
            owner = self.owners.get(ref)
            return None if owner is None else CollectionTarget(collection=self.collection(owner, ref.entity_id))
        return UserTarget(user=self.user(ref.entity_id)) if ref.business_id == USERS else self.target(ref)


class Lookup:
    """Reads the names of the objects to which the rows of a page refer, with one statement for each kind of object."""

    def __init__(self, state: State, issuer: str | None = None) -> None:
        """An export of everything passes an `issuer`. Records then name users by their identities, without the issuer
        if it is `issuer`, and imported objects by their ids in the archive. An export of one person passes None.
        Records then name users and objects by the ids of Plaudit, such as `User:7`.
        """
        self._postgres, self._businesses, self._issuer = state.postgres, state.business_names, issuer
        self._labels = state.labels

    async def of(
        self,
        users: Collection[int] = (),
        refs: Collection[EntityRef] = (),
        named: Collection[EntityRef] = (),
        owners: Mapping[EntityRef, int] | None = None,
    ) -> References:
        """Returns the references of these users, posts, comments and entities (`refs`), and the names of the posts,
        comments and collections in `named`. `owners` are the owners of collections among `refs`. An export of
        everything does not refer to entities that are being erased or were erased, nor to comments on them. Raises
        PostgresDown.
        """
        subjects = await lookups.subjects(
            self._postgres, {ref.entity_id for ref in refs if ref.business_id == COMMENTS}
        )
        entities = {ref for ref in (*refs, *subjects.values()) if ref.business_id >= FIRST_EXTERNAL}
        keys = await lookups.entity_keys(self._postgres, entities, erased=self._issuer is None)
        return References(
            await self._users({*users}),
            keys,
            {id_: ref.business_id for id_, ref in subjects.items() if ref.business_id == POSTS or ref in keys},
            self._businesses,
            self._labels,
            await self._names({*refs, *named}),
            owners or {},
        )

    async def _names(self, refs: Collection[EntityRef]) -> Mapping[EntityRef, str]:
        if self._issuer is None:
            return {}
        return {
            EntityRef(business_id, id_): name
            for business_id, kind in _IMPORTED.items()
            for id_, name in (
                await lookups.imported(
                    self._postgres, kind, {ref.entity_id for ref in refs if ref.business_id == business_id}
                )
            ).items()
        }

    async def _users(self, ids: Collection[int]) -> Mapping[int, UserRef]:
        if self._issuer is None:
            return {}
        found = await lookups.identities(self._postgres, ids)
        return {user_id: self._user(*identity_of(user_id, found)) for user_id in ids}

    def _user(self, issuer: str, subject: str) -> UserRef:
        return subject if issuer == self._issuer else IssuedUser(issuer=issuer, external_id=subject)
