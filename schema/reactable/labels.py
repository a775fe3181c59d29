"""The field of Reactable with its labels."""

import strawberry

import resolvers.labels as resolve
from schema.fields import listed
from schema.label_types import ContentLabel


@strawberry.type
class Fields:
    labels: list[ContentLabel] = listed(
        resolve.of_content,
        description="The labels of this object, in the order of `Query.labels`. Empty if the comment is deleted.",
    )
