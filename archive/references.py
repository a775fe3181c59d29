"""How records name the users, entities, posts and comments that rows refer to by their internal ids."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from archive.fields import CommentTarget, EntityTarget, IssuedUser, PostTarget, Target, UserRef
from archive.personal import AnyTarget, UserTarget
from domain.ids import CommentId, PostId, UserId
from models.counters import EntityRef
from settings import COMMENTS, FIRST_EXTERNAL, POSTS, USERS
from state import State
from store.archive import lookups
from store.people.identities import Identity

NO_IDENTITY = "plaudit:no-identity"
"""The issuer in references to users who have no identity, so that nobody can sign in as them."""


def identity_of(user_id: int, found: Mapping[int, Identity]) -> Identity:
    """Returns the identity that stands for a user in an export of everything. `found` has identities by user."""
    return found.get(user_id) or (NO_IDENTITY, UserId.text(user_id))


@dataclass(frozen=True, slots=True)
class References:
    """What the rows of one page refer to."""

    users: Mapping[int, UserRef]
    """The references of users by user id. Users who are not among them are named by texts such as `User:7`."""
    keys: Mapping[EntityRef, str]
    """The keys of entities."""
    subjects: Mapping[int, int]
    """The numbers of the businesses of the subjects of comments, by comment id."""
    businesses: Mapping[int, str]
    """The names of the businesses that are configured, by number."""

    def user(self, user_id: int) -> UserRef:
        """Returns the reference of a user."""
        return self.users.get(user_id) or UserId.text(user_id)

    def business(self, business_id: int) -> str:
        """Returns the name of a business; its number as a text if it is not configured any more."""
        return self.businesses.get(business_id, str(business_id))

    def target(self, ref: EntityRef) -> Target | None:
        """Returns the reference of a post, comment or entity; None if it is not stored."""
        if ref.business_id == POSTS:
            return PostTarget(post=PostId.text(ref.entity_id))
        if ref.business_id == COMMENTS:
            subject = self.subjects.get(ref.entity_id)
            return None if subject is None else CommentTarget(comment=CommentId.text(subject, ref.entity_id))
        key = self.keys.get(ref)
        return None if key is None else EntityTarget(business=self.business(ref.business_id), key=key)

    def any_target(self, ref: EntityRef) -> AnyTarget | None:
        """Returns the reference of a user, post, comment or entity; None if it is not stored."""
        return UserTarget(user=self.user(ref.entity_id)) if ref.business_id == USERS else self.target(ref)


class Lookup:
    """Looks up what the rows of a page refer to, each kind in one statement."""

    def __init__(self, state: State, issuer: str | None = None) -> None:
        """Names users by their identities, without the issuer if it is `issuer`. If `issuer` is None, names users by
        texts such as `User:7`.
        """
        self._postgres, self._businesses, self._issuer = state.postgres, state.business_names, issuer

    async def of(self, users: Collection[int] = (), refs: Collection[EntityRef] = ()) -> References:
        """Returns the references of these users, posts, comments and entities. Raises PostgresDown."""
        entities = {ref for ref in refs if ref.business_id >= FIRST_EXTERNAL}
        comments = {ref.entity_id for ref in refs if ref.business_id == COMMENTS}
        return References(
            await self._users({*users}),
            await lookups.entity_keys(self._postgres, entities),
            await lookups.subject_businesses(self._postgres, comments),
            self._businesses,
        )

    async def _users(self, ids: Collection[int]) -> Mapping[int, UserRef]:
        if self._issuer is None:
            return {}
        found = await lookups.identities(self._postgres, ids)
        return {user_id: self._user(*identity_of(user_id, found)) for user_id in ids}

    def _user(self, issuer: str, subject: str) -> UserRef:
        return subject if issuer == self._issuer else IssuedUser(issuer=issuer, external_id=subject)
