"""What the labels of posts, comments and entities hide from the viewer of one request. `domain/labels.py` has the
rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from domain.errors import Unavailable
from domain.labels import Audience, Labels
from loaders.boundaries import ViewerBoundaries
from loaders.loader import Loader
from loaders.request.reader import Reader
from models.comments import CommentRow
from models.entities import EntityRow
from models.posts import PostRow
from models.preferences import label_choices
from models.users import UserRow

Row = TypeVar("Row")


@dataclass(slots=True, eq=False)
class ViewerLabels:
    """Applies the labels of content to what one request loads. Callers do not use it for moderators, who see all
    content.
    """

    labels: Labels
    reader: Reader
    boundaries: ViewerBoundaries
    """Read with the viewer's choices."""
    users: Loader[int, UserRow | None]
    """Loads profiles, among them the viewer's, which may have an age band."""
    hide_nothing: bool = False
    """Whether labels hide nothing. Set this only before other content is loaded, and forget the content after it."""

    def ask(self) -> None:
        """Starts to read what `shown` needs of the viewer, in the round trip of the content. Does nothing without
        configured labels, and for an anonymous viewer.
        """
        if self.labels.all and self.reader.viewer_id is not None:
            self.boundaries.ask()
            if self._needs_profile:
                self.users.ask([self.reader.viewer_id], each=True)

    @property
    def _needs_profile(self) -> bool:
        return self.reader.age_band not in self.labels.bands and self.labels.depend_on_age

    async def audience(self, business_id: int | None = None) -> Audience:
        """Returns the viewer's age band and choices for content of a business. If the token is for other businesses,
        the viewer counts as anonymous. Raises Unavailable if they cannot be read.
        """
        viewer_id = self.reader.viewer_id
        if viewer_id is None or not (business_id is None or self.reader.is_for(business_id)):
            return self.labels.anonymous
        self.ask()
        stored = None
        if self._needs_profile:
            (viewer,) = await self.users.ask([viewer_id], each=True)
            if isinstance(viewer, Exception):
                raise viewer
            stored = viewer.age_band if viewer else None
        preferences = (await self.boundaries.get()).preferences
        return Audience(self.labels.band(self.reader.age_band, stored), label_choices(preferences))

    async def shown(self, rows: Sequence[Row | Exception | None]) -> Sequence[Row | Exception | None]:
        """Returns the rows, with None in place of each post, comment or entity that a label hides from the viewer. A
        comment with public replies becomes a tombstone, without text and author. The viewer's own content stays. If the
        age band or the choices of the viewer cannot be read, the exception is in the place of each row with a label.
        """
        known = 0 if self.hide_nothing else self.labels.known
        labeled = [row for row in rows if isinstance(row, _LABELED) and row.all_labels & known] if known else []
        if not labeled:
            return rows
        error: Unavailable | None = None
        hidden = dict.fromkeys({row.business_id for row in labeled}, known)
        try:
            for business_id in hidden:  # restricted tokens are for some of them
                hidden[business_id] = self.labels.hidden(await self.audience(business_id))
        except Unavailable as unreadable:
            error, hidden = unreadable, dict.fromkeys(hidden, known)

        def seen(row: Row | Exception | None) -> Row | Exception | None:
            if not isinstance(row, _LABELED) or not row.all_labels & hidden.get(row.business_id, 0):
                return row
            viewer_id = self.reader.viewer_in(row.business_id)
            if viewer_id is not None and row.owner_id == viewer_id:
                return row
            return error or (row.masked if isinstance(row, CommentRow) and row.answered else None)

        return list(map(seen, rows)) if any(hidden.values()) else rows


_LABELED = (PostRow, CommentRow, EntityRow)
