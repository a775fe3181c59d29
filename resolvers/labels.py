"""Labels: the configured ones, those of posts, comments and entities, and the viewer's age band and choices."""

from collections.abc import Sequence
from dataclasses import dataclass

from commands import labels as commands
from commands.targets import ReactableRow
from context import Context
from domain.errors import Unavailable
from domain.labels import Audience, LabelSource, LabelVisibility
from models.entities import EntityRow
from models.posts import PostRow
from models.users import ViewerRow
from settings import Label


@dataclass(frozen=True)
class ContentLabel:
    """A label of a post, comment or entity, as the viewer sees it."""

    name: str
    title: str
    source: LabelSource
    visibility: LabelVisibility


@dataclass(frozen=True)
class LabelPreference:
    """A label, what the viewer sees of content with it, and whether the viewer may change that."""

    label: Label
    visibility: LabelVisibility
    changeable: bool


def configured(context: Context) -> Sequence[Label]:
    """Resolves Query.labels: all configured labels, in the order of the settings."""
    return context.state.labels.all


async def of_content(context: Context, rows: Sequence[ReactableRow]) -> Sequence[Sequence[ContentLabel]]:
    """Resolves Reactable.labels: the labels of each post, comment or entity. While the viewer's choices cannot be read,
    the visibility is that for an anonymous reader.
    """
    labels = context.state.labels
    if not any(row.all_labels & labels.known for row in rows):
        return [()] * len(rows)
    try:
        audience = await context.content.labels.audience(rows[0].business_id)
    except Unavailable:
        audience = labels.anonymous
    return [
        [
            ContentLabel(label.name, label.title, _source(row, label), labels.visibility(label, audience))
            for label in labels.in_bits(row.all_labels)
        ]
        for row in rows
    ]


def _source(row: ReactableRow, label: Label) -> LabelSource:
    if row.moderator_labels & 1 << label.id:
        return LabelSource.MODERATOR
    of_service = isinstance(row, EntityRow) or (isinstance(row, PostRow) and row.announces_entity)
    return LabelSource.SERVICE if of_service else LabelSource.AUTHOR


async def age_bands(context: Context, viewers: Sequence[ViewerRow]) -> Sequence[str | Unavailable]:
    """Resolves Viewer.ageBand: the viewer's age band; Unavailable if this cannot be read."""
    found = await _audience(context)
    return [found.band if isinstance(found, Audience) else found] * len(viewers)


async def preferences(
    context: Context, viewers: Sequence[ViewerRow]
) -> Sequence[Sequence[LabelPreference] | Unavailable]:
    """Resolves Viewer.labelPreferences: what the viewer sees of content with each label; Unavailable if this cannot be
    read.
    """
    found, labels = await _audience(context), context.state.labels
    if not isinstance(found, Audience):
        return [found] * len(viewers)
    rules = [(label, labels.rule(label, found.band)) for label in labels.all]
    all_ = [LabelPreference(label, labels.visibility(label, found), rule.changeable) for label, rule in rules]
    return [all_] * len(viewers)


async def _audience(context: Context) -> Audience | Unavailable:
    try:
        return await context.content.labels.audience()
    except Unavailable as error:
        return error


async def set_preferences(
    context: Context, wanted: Sequence[tuple[str, LabelVisibility | None]], idempotency_key: str | None
) -> ViewerRow:
    """Sets what the viewer sees of content with some labels. Returns the viewer. Raises what the command raises."""
    viewer = ViewerRow(context.require_viewer().user_id)
    await commands.set_preferences(context, wanted, idempotency_key)
    return viewer
