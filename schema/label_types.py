"""The types of labels, and the texts about them that several inputs share."""

import strawberry

from domain.labels import LabelSource, LabelVisibility
from schema.access import Rule, access
from schema.enums import describe_enum

AUTHOR_LABELS = (
    "`Query.labels` has the names. A label that does not exist, or that authors may not set, is refused with `INVALID`."
)
"""The end of the descriptions of inputs with the labels that an author sets."""

describe_enum(
    LabelVisibility,
    "What a viewer sees of content with a label.",
    SHOW="The content, without a warning.",
    WARN="The content. Apps cover the content with a warning that the viewer can dismiss.",
    HIDE="The API leaves the content out. Only the author or owner of the content, and moderators, see it.",
)
describe_enum(
    LabelSource,
    "Who has set a label.",
    AUTHOR="The author.",
    MODERATOR="A moderator, the moderation rules or the external reviewer. Neither the author nor a service can remove "
    "the label.",
    SERVICE="The service that has registered the entity. On a post that announces an entity, all labels of the entity "
    "have this source, also those that a moderator has set on the entity.",
)


@strawberry.type(
    description="A label: a kind of content that viewers may want to hide, which the operator of this deployment has "
    "configured."
)
class Label:
    name: str = strawberry.field(description="The name of the label, such as `adult`.")
    title: str = strawberry.field(description="The text that apps show.")
    set_by_authors: bool = strawberry.field(description="Whether authors may set the label on posts and comments.")


@strawberry.type(description="A label of a post, comment or entity.")
class ContentLabel:
    name: str = strawberry.field(description="The name of the label, such as `adult`.")
    title: str = strawberry.field(description="The text that apps show.")
    source: LabelSource = strawberry.field(
        description="Who has set the label. `MODERATOR` also if the author or a service has set it, too."
    )
    visibility: LabelVisibility = strawberry.field(
        description="What the viewer sees of content with the label. Anonymous readers belong to the lowest age band. "
        "If content has several labels, apps follow the strictest.",
        metadata=access(Rule.ALL, personal=True),
    )


@strawberry.type(description="What the viewer (the signed-in user) sees of content with a label.")
class LabelPreference:
    label: Label = strawberry.field(description="The label.")
    visibility: LabelVisibility = strawberry.field(
        description="What the viewer sees: what the viewer has chosen, or the default of the viewer's age band."
    )
    changeable: bool = strawberry.field(
        description="Whether the viewer's age band lets the viewer change the visibility (`setLabelPreferences`)."
    )
