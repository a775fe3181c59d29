"""Manifests as the tools write them, and invalid files."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from commands.persisted import manifests
from commands.persisted.checking import check_all
from commands.persisted.manifests import ManifestError, read, read_all, sha256_id
from commands.persisted.registry import Registry
from schema import schema
from tests.support.persisted_operations import ME, TYPE, sha

MD5 = hashlib.md5(TYPE.encode(), usedforsecurity=False).hexdigest()


def apollos(*operations: Any, **changes: Any) -> dict[str, Any]:
    format_ = {"format": "apollo-persisted-query-manifest", "version": 1, "operations": list(operations)}
    return {**format_, **changes}


def operation(body: Any = ME, **changes: Any) -> dict[str, Any]:
    return {"id": sha(ME), "body": body, "name": "Me", "type": "query", **changes}


def written(folder: Path, content: Any) -> Path:
    file = folder / "m.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return file


def test_apollos_manifest_is_read(tmp_path: Path) -> None:
    (one,) = read(written(tmp_path, apollos(operation(), operation())))

    assert (one.id, one.text, one.source, one.name, one.kind) == (sha(ME), ME, "m.json", "Me", "query")


def test_a_manifest_that_apollos_tool_wrote_is_read_and_fits_the_schema() -> None:
    """`generate-persisted-query-manifest` 1.4.0 wrote the file, for three operations of the client kit."""
    found = read(Path(__file__).parent / "manifests" / "apollo-2026-11-27.json")

    assert [(one.name, one.kind) for one in found] == [
        ("Home", "query"),
        ("Like", "mutation"),
        ("NotificationReceived", "subscription"),
    ]
    assert [one.id for one in found] == [sha(one.text) for one in found]
    assert [result.problem for result in check_all(schema.graphql_core, found)] == ["", "", ""]


def test_relays_and_codegens_manifests_are_read(tmp_path: Path) -> None:
    found = read(written(tmp_path, {MD5: TYPE, sha(ME): ME, "operations": TYPE}))

    assert [(one.id, one.text, one.name, one.kind) for one in found] == [
        (MD5, TYPE, None, None),
        (sha(ME), ME, None, None),
        ("operations", TYPE, None, None),
    ]


def test_manifests_of_apollo_ios_and_apollo_kotlin_are_read(tmp_path: Path) -> None:
    """The files have the layout that the generators write: spaces before colons by Apollo iOS, a type by Apollo
    Kotlin only.
    """
    friends = "query Friends { viewer { ...Name } }\nfragment Name on Viewer { id }"
    ios = f"""{{
  "format": "apollo-persisted-query-manifest",
  "version": 1,
  "operations": [
    {{
      "id": "{sha(friends)}",
      "body": {json.dumps(friends)},
      "name": "Friends",
      "type": "query"
    }}
  ]
}}"""
    legacy_ios = f"""{{
  "{sha(friends)}" : {{
    "name": "Friends",
    "source": {json.dumps(friends)}
  }}
}}"""
    kotlin = json.dumps(apollos(operation()), indent=4)
    legacy_kotlin = json.dumps({sha(ME): {"name": "Me", "source": ME, "type": "query"}}, indent=4)

    (one,) = read(written(tmp_path, ios.encode()))
    assert (one.id, one.text, one.name, one.kind) == (sha(friends), friends, "Friends", "query")
    (one,) = read(written(tmp_path, legacy_ios.encode()))
    assert (one.id, one.text, one.name, one.kind) == (sha(friends), friends, "Friends", None)
    for content in kotlin, legacy_kotlin:
        (one,) = read(written(tmp_path, content.encode()))
        assert (one.id, one.text, one.name, one.kind) == (sha(ME), ME, "Me", "query")


@pytest.mark.parametrize("identifier", [sha(ME), sha(TYPE).upper(), MD5])
def test_an_id_without_the_prefix_sha256_is_taken_as_it_is(tmp_path: Path, identifier: str) -> None:
    (one,) = read(written(tmp_path, {identifier: TYPE}))

    assert (one.id, one.text) == (identifier, TYPE)


def test_a_byte_order_mark_and_all_alphabets_are_read(tmp_path: Path) -> None:
    text = '{ user(handle: "李😀") { id } }'

    (one,) = read(written(tmp_path, b"\xef\xbb\xbf" + json.dumps({sha(text): text}).encode()))

    assert one.text == text


def test_hashes_equal_those_of_the_graphql_over_http_appendix() -> None:
    example = "query ($id: ID!) {\n  user(id: $id) {\n    name\n  }\n}"

    assert sha256_id(example) == "sha256:7dba4bd717b41f10434822356a93c32b1fb4907b983e854300ad839f84cdcd6e"


@pytest.mark.parametrize(
    ("content", "because"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"a": "\xff"}', "not JSON in UTF-8"),
        (json.dumps({"a": TYPE}).encode("utf-16"), "not JSON in UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": ' + b"1" * 10_000 + b"}", "not JSON"),
        ([], "not a JSON object"),
        ("{ __typename }", "not a JSON object"),
        ({"a": 1}, "a has no text"),
        ({"a": None}, "a has no text"),
        ({"a": {"text": TYPE}}, "a has no text"),
        ({"a": " "}, "a has no text"),
        ({"": TYPE}, "'' is not a document identifier"),
        ({"a/b": TYPE}, "'a/b' is not a document identifier"),
        ({"a\n": TYPE}, "not a document identifier"),
        ({"a" * 201: TYPE}, "not a document identifier"),
        ({"md5:abc": TYPE}, "'md5:abc' is not a document identifier"),
        ({f"sha256:{sha(ME)}": TYPE}, "not the SHA-256 of its text"),
        ({"a": {"name": "Me", "source": 1}}, "a has no text"),
        ({"a": {"name": 1, "source": ME}}, "a name or type that is not a text"),
        ({"a": TYPE + "\0"}, "a character that Postgres cannot store"),
        (b'{"a": "{ user(handle: \\"\\ud800\\") { id } }"}', "a character that Postgres cannot store"),
        ({"a": "x" * 100_001}, "longer than 100000 characters"),
        (b'{"a": "{ a }", "a": "{ b }"}', "a appears twice with different texts"),
        (apollos(version=2), "unknown format or version"),
        (apollos(version=True), "unknown format or version"),
        (apollos(format="another"), "unknown format or version"),
        (apollos(operations={}), "operations is not a list"),
        (apollos(operations=None), "operations is not a list"),
        (apollos(TYPE), "an operation is not an object"),
        (apollos(operation(id=1)), "'1' is not a document identifier"),
        (apollos({"id": "a"}), "a has no text"),
        (apollos(operation(TYPE, id=f"sha256:{sha(ME)}")), "not the SHA-256 of its text"),
        (apollos(operation(type=1)), "a name or type that is not a text"),
        (apollos(operation(id="a"), operation(TYPE, id="a")), "a appears twice with different texts"),
        ({"operations": [operation()]}, "unknown format or version"),
    ],
    ids=range(36),
)
def test_an_invalid_file_is_refused_with_the_reason(tmp_path: Path, content: Any, because: str) -> None:
    with pytest.raises(ManifestError, match=because) as refused:
        read(written(tmp_path, content))

    assert str(refused.value).startswith(f"{tmp_path}/m.json: ")


def test_files_and_texts_have_a_maximum_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifests, "MOST_OPERATIONS", 2)
    monkeypatch.setattr(manifests, "LARGEST_FILE", 100)

    assert len(read(written(tmp_path, {"a": TYPE, "b": TYPE}))) == 2
    with pytest.raises(ManifestError, match="more than 2 operations"):
        read(written(tmp_path, {"a": TYPE, "b": TYPE, "c": TYPE}))
    with pytest.raises(ManifestError, match="larger than 100 bytes"):
        read(written(tmp_path, {"a": TYPE.ljust(100)}))


def test_a_folder_means_its_json_files_in_order(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(json.dumps({"b": TYPE}))
    (tmp_path / "a.json").write_text(json.dumps({"a": ME}))
    (tmp_path / "readme.md").write_text("no manifest")
    (tmp_path / "empty").mkdir()

    assert [(one.id, one.source) for one in read_all([tmp_path])] == [("a", "a.json"), ("b", "b.json")]
    with pytest.raises(ManifestError, match=r"no \*.json"):
        read_all([tmp_path / "empty"])
    with pytest.raises(ManifestError, match="No such file"):
        read_all([tmp_path / "missing.json"])


def test_contradictory_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"x": TYPE}))
    (tmp_path / "b.json").write_text(json.dumps({"x": ME}))

    with pytest.raises(ManifestError, match=r"b\.json: x already has another text"):
        Registry().add(read_all([tmp_path]))
