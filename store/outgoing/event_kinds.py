"""Defines a kind of outgoing events: its stored number, the JSON for destinations, and the function that makes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from models.counters import EntityRef

SCHEMA: Literal[1] = 1
"""The version of the schemas. A change that could break a consumer increases it; a new field does not."""

Id = Annotated[str, Field(description="A global id, as in the API.")]
Digits = Annotated[str, Field(pattern=r"^[0-9]{1,19}$")]


class Json(BaseModel):
    """The base class of the JSON objects in outgoing events. Instances are immutable. Names are in camel case."""

    # Only docs and tests need validators, so processes do not build them.
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, defer_build=True)


class Event(Json):
    """The fields that every outgoing event has: what identifies and orders the event, and the business of the changed
    object. Each kind of event is a subclass that adds the fields `kind` and `data`.
    """

    id: Annotated[str, Field(description="The same for each delivery of the event. Ignore an event you have seen.")]
    schema_version: Annotated[Literal[1], Field(description="The version of this schema.")] = SCHEMA
    partition: Annotated[int, Field(description="Events of one partition arrive in order.")]
    position: Annotated[Digits, Field(description="The place in the order of the partition.")]
    version: Annotated[
        Digits, Field(description="Ignore an event about an object if you have one with a higher version.")
    ]
    time: Annotated[datetime, Field(description="When the change was stored.")]
    business: Annotated[str, Field(description="The business of the object.")]


def label_of(event: type[Event]) -> str:
    """Returns the value that all events of this class have in the field `kind`, such as `post.created`."""
    (label,) = get_args(event.model_fields["kind"].annotation)
    return str(label)


Data = dict[str, Any]
"""A JSON object: what `outgoing_events` stores about a change, or the field `data` of an event."""
Ids = Mapping[EntityRef, str]
"""The global ids of objects. Those of erased entities and comments are missing."""


class StoredChange(NamedTuple):
    """A change of a row, as the table `outgoing_events` stores it: the key of the row, the business, and the values
    that an event is made of.
    """

    key: Sequence[int]
    """The key of the changed row."""
    business_id: int
    """The business of the changed object."""
    data: Data
    """The values that `outgoing_events` stores about the change."""


@dataclass(frozen=True, eq=False)
class EventKind:
    """A kind of outgoing events: its stored number, the class that describes its JSON, and the functions that make an
    event of a stored change. To add a kind, define it in a file of `store/outgoing/events`.
    """

    number: int
    """The number of the kind in rows. Never reuse one."""
    event: type[Event]
    """Describes the JSON of an event. The field `kind` has the label of the kind."""
    make: Callable[[StoredChange, Ids], Data]
    """Returns the field `data` of an event."""
    refs: Callable[[StoredChange], Sequence[EntityRef]] = lambda _: ()
    """Returns the objects whose global ids `make` needs."""

    @cached_property
    def label(self) -> str:
        """Returns the value of the field `kind` in events of this kind, such as `post.created`."""
        return label_of(self.event)
