"""Records have one encoding, and the schemas describe them."""

import json

import pytest
from jsonschema import Draft202012Validator

from archive.lines import BadLine, decoded, encoded
from archive.records import KINDS
from cli import record_schemas
from tests.archive.archives import comment, entity, follow, post, reaction, save, users, video

RECORDS = [
    *users("ann", displayName="Ann", custom={"b": 1, "a": {"d": 1.0, "c": None}}),
    *users("bob", suspension={"mode": "HIDDEN"}, formerHandles=[{"handle": "bo", "freedAt": "2021-01-01T00:00:00Z"}]),
    entity("v1", owner={"issuer": "https://login.example.com", "externalId": "ann"}),
    follow("ann", "bob", state="REQUESTED"),
    {"kind": "contentFollow", "user": "ann", "target": {"topic": "cats"}, "createdAt": "2021-01-01T00:00:00Z"},
    {"kind": "contentFollow", "user": "bob", "target": video("v1"), "createdAt": "2021-01-01T00:00:00Z"},
    reaction("ann", video("v1")),
    reaction("ann", {"comment": "c1"}, reaction="DISLIKE"),
    post("p1", "ann", images=[{"url": "https://images.example.com/a.png"}], topics=["cats"]),
    comment("c1", "ann", {"post": "p1"}, deletedAt="2021-03-02T00:00:00Z", deletedAs="moderator"),
    save("ann", {"post": "p1"}, collection="k1"),
    {"kind": "collection", "id": "k1", "user": "ann", "name": "Bread", "createdAt": "2021-01-01T00:00:00Z"},
    {"kind": "repost", "user": "ann", "target": {"post": "p1"}, "createdAt": "2021-01-01T00:00:00Z"},
    {"kind": "block", "user": "ann", "blocked": "bob", "createdAt": "2021-01-01T00:00:00Z"},
    {"kind": "mute", "user": "ann", "muted": "bob", "createdAt": "2021-01-01T00:00:00Z"},
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["kind"])
def test_a_record_is_valid_by_its_schema_and_its_encoding_is_stable(record: dict[str, object]) -> None:
    kind = str(record["kind"])
    schema = json.loads(record_schemas.schemas()[f"{kind}.v1.json"])
    Draft202012Validator(schema).validate(record)

    line = encoded(decoded(kind, json.dumps(record).encode()))

    Draft202012Validator(schema).validate(json.loads(line))
    assert encoded(decoded(kind, line)) == line
    assert list(json.loads(line)) == sorted(json.loads(line))


def test_every_kind_has_a_record_here() -> None:
    assert {record["kind"] for record in RECORDS} == KINDS.keys()


def test_times_are_written_in_utc_with_milliseconds_and_defaults_are_left_out() -> None:
    line = b'{"kind":"user","externalId":"a","bio":"","isPrivate":false,"createdAt":"2021-01-01T02:00:00.123987+02:00"}'

    assert encoded(decoded("user", line)) == b'{"createdAt":"2021-01-01T00:00:00.123Z","externalId":"a","kind":"user"}'


@pytest.mark.parametrize("time", ["1999-12-31T23:59:59Z", "2021-13-01T00:00:00Z", "2021-01-01", 7])
def test_a_time_that_does_not_exist_or_is_too_early_is_refused(time: object) -> None:
    with pytest.raises(BadLine, match="createdAt"):
        decoded("user", json.dumps({"kind": "user", "externalId": "a", "createdAt": time}).encode())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"target": {"key": "v1"}}, "target.business: Field required."),
        ({"target": "v1"}, "target: Input should be an object."),
        ({"user": 7}, "user: Input should be a valid string."),
        ({"kind": "save"}, "kind: Input should be 'reaction'."),
    ],
)
def test_the_reason_names_the_field_as_it_is_in_the_record(fields: dict[str, object], reason: str) -> None:
    with pytest.raises(BadLine) as refused:
        decoded("reaction", json.dumps(dict(reaction("ann", video("v1"))) | fields).encode())

    assert str(refused.value) == reason
