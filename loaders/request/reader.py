"""Who reads in one request, what the token of the request allows, and what its loaders have in common."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from domain.degraded import Degraded
from loaders.shared import SharedLoaders
from state import State


class Reader(NamedTuple):
    """The reader of one request."""

    viewer_id: int | None
    """The signed-in user, or None for an anonymous client."""
    actor_id: int | None
    """The id under which the reader's changes are recorded (`Context.actor_id`)."""
    moderates: Collection[int] = ()
    """The ids of the businesses that the viewer moderates."""
    businesses: Collection[int] | None = None
    """The ids of the businesses that a restricted token allows; None for a token without restriction."""

    def is_for(self, business_id: int) -> bool:
        """Returns whether the token shows data of the viewer in a business. Users belong to no business, so a
        restricted token shows no data about them.
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
    """The base class of `Lists`, `Own` and `Content`."""

    state: State
    shared: SharedLoaders
    degraded: Degraded
    """The fields that are missing from the answer, or incomplete, because a store is down."""
    reader: Reader
    local: bool
    """Whether values may come from the local cache of the process."""
