"""The fields of Viewer about labels."""

import strawberry

import resolvers.labels as resolve
from schema.access import Rule, access
from schema.fields import listed
from schema.label_types import LabelPreference


@strawberry.type
class Fields:
    age_band: str | None = listed(
        resolve.age_bands,
        description="The age band of the viewer (the signed-in user), on which the defaults of labels depend. The "
        "identity provider or a service states it. If neither does, this is the age band for unknown ages. If they "
        "state only values that are not configured, this is the lowest age band. Null if the value is temporarily "
        "unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
    label_preferences: list[LabelPreference] | None = listed(
        resolve.preferences,
        description="What the viewer (the signed-in user) sees of content with each configured label, in the order of "
        "`Query.labels`. Change it with `setLabelPreferences`. Null if the value is temporarily unavailable.",
        metadata=access(Rule.ACCOUNT),
    )
