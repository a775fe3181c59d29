"""Who reads in one request, what the token of the request allows, and what its loaders have in common."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from domain.degraded import Degraded
from loaders.shared import SharedLoaders
from state import State


class Reader(NamedTuple):
    """Who reads in one request, and what the token allows."""

    viewer_id: int | None
    """The id of the signed-in user, or None for an anonymous client."""
    actor_id: int | None
    """The id under which the reader's changes are recorded: that of a user or of an anonymous device."""
    moderates: Collection[int] = ()
    """The ids of the businesses that the viewer moderates."""
    businesses: Collection[int] | None = None
    """The ids of the businesses (kinds of content) that a restricted token allows; None for a token without
    restriction.
    """
    age_band: str | None = None
    """The age band that the token states; None if it states none."""

    def is_for(self, business_id: int) -> bool:
        """Returns whether the token allows the viewer's own data in a business, such as the viewer's likes. Users
        belong to no business, so a restricted token does not allow data about them.
        """
        return self.businesses is None or business_id in self.businesses

    def viewer_in(self, business_id: int) -> int | None:
        """Returns the viewer's id if the token allows the business. Otherwise returns None, so that no private data of
        the viewer in this business is read.
        """
        return self.viewer_id if self.is_for(business_id) else None

    @property
    def moderates_users(self) -> bool:
        """Returns whether the viewer moderates users. Users belong to no business, so restricted moderators do not."""
        return bool(self.moderates) and self.businesses is None


@dataclass(eq=False)
class RequestLoaders:
    """The base class of the three objects that load the data of one request: `Lists`, `Own` and `Content`. It holds the
    stores, the shared loaders, the reader, and the fields that could not be read.
    """

    state: State
    shared: SharedLoaders
    degraded: Degraded
    """The fields that are missing from the answer, or incomplete, because a store is down."""
    reader: Reader
    local: bool
    """Whether values may come from the local cache of the process."""
