"""Requests that set labels and choose what to see of them, a businesses file with labels, and people of an age band."""

from pathlib import Path
from typing import Any

from settings import ClaimSettings
from tests.support.system import Person, System
from tests.support.tokens import bearing, token

CLAIMS = ClaimSettings(age_band=("age_band",))
_FILE = Path(__file__).parents[2] / "businesses.toml"
OF_TESTS = Path(__file__).parents[1] / "businesses.toml"
"""The businesses file of the tests, which has no labels."""
LABELS = """
[[label]]
id = 0
name = "adult"
title = "Adult content"
ages.child = { visibility = "hide", changeable = false }
ages.teen = { visibility = "hide", changeable = false }

[[label]]
id = 62
name = "violence"
title = "Violence"
ages.child = { visibility = "hide", changeable = false }
ages.adult = { visibility = "show" }

[[label]]
id = 1
name = "spoiler"
title = "Spoilers"

[[label]]
id = 2
name = "disputed"
title = "Disputed"
set_by_authors = false
"""
WRITE_POST = """mutation ($input: PublishPostInput!) { publishPost(input: $input) {
  post { id contentWarning labels { name source } } userErrors { code field } } }"""
EDIT_POST = """mutation ($input: EditPostInput!) { editPost(input: $input) {
  post { id contentWarning labels { name source } } userErrors { code field } } }"""
WRITE_COMMENT = """mutation ($input: AddCommentInput!) { addComment(input: $input) {
  comment { id contentWarning labels { name source } } userErrors { code field } } }"""
EDIT_COMMENT = """mutation ($input: EditCommentInput!) { editComment(input: $input) {
  comment { id contentWarning labels { name source } } userErrors { code field } } }"""
SET_LABELS = """mutation ($id: ID!, $labels: [String!]!, $reason: String!, $key: String) {
  setLabels(input: {targetId: $id, labels: $labels, reason: $reason, idempotencyKey: $key}) {
    target { id ... on Reactable { labels { name source } } } userErrors { code field } } }"""
CHOOSE = """mutation ($preferences: [LabelPreferenceInput!]!, $key: String) {
  setLabelPreferences(input: {preferences: $preferences, idempotencyKey: $key}) {
    viewer { ageBand labelPreferences { label { name } visibility changeable } } userErrors { code field } } }"""
CHOICES = "{ viewer { ageBand labelPreferences { label { name } visibility changeable } } }"
SEEN = """query ($id: ID!) { node(id: $id) { id ... on Reactable { labels { name title source visibility } }
  ... on Post { text contentWarning } ... on Comment { said: text contentWarning author { handle } } } }"""


def with_labels(folder: Path, labels: str = LABELS, base: Path = _FILE) -> Path:
    """Writes a businesses file with the businesses of the file `base` and some labels. Returns its path."""
    file = folder / "businesses.toml"
    file.write_text(base.read_text() + labels)
    return file


def aged(system: System, handle: str, band: str | None) -> Person:
    """Returns a person whose token states an age band; None: states none."""
    person = bearing(system, f"Bearer {token(sub=handle, preferred_username=handle, age_band=band)}")
    person.handle = handle
    return person


async def write_post(author: Person, text: str, *labels: str, **more: Any) -> Any:
    """Returns the payload of a new post with these labels."""
    told = {"text": text, "labels": list(labels), "idempotencyKey": text, **more}
    return (await author.ask(WRITE_POST, input=told))["publishPost"]


async def write_comment(author: Person, subject: str, text: str, *labels: str, **more: Any) -> Any:
    """Returns the payload of a new comment with these labels."""
    told = {"subjectId": subject, "text": text, "labels": list(labels), "idempotencyKey": text, **more}
    return (await author.ask(WRITE_COMMENT, input=told))["addComment"]


async def edit_post(author: Person, post_id: str, **changes: Any) -> Any:
    """Returns the payload of an edit of a post."""
    return (await author.ask(EDIT_POST, input={"postId": post_id, **changes}))["editPost"]


async def edit_comment(author: Person, comment_id: str, **changes: Any) -> Any:
    """Returns the payload of an edit of a comment."""
    return (await author.ask(EDIT_COMMENT, input={"commentId": comment_id, **changes}))["editComment"]


async def set_labels(
    moderator: Person, target: str, *labels: str, reason: str = "as reported", key: str | None = None
) -> Any:
    """Returns the payload of setLabels."""
    return (await moderator.ask(SET_LABELS, id=target, labels=list(labels), reason=reason, key=key))["setLabels"]


async def choose(person: Person, key: str | None = None, **wanted: str | None) -> Any:
    """Returns the payload of setLabelPreferences, with the visibilities by the name of the label."""
    preferences = [{"label": label, "visibility": visibility} for label, visibility in wanted.items()]
    return (await person.ask(CHOOSE, preferences=preferences, key=key))["setLabelPreferences"]


async def choices(person: Person) -> dict[str, tuple[str, bool]]:
    """Returns what a person sees of each label, and whether they may change it."""
    found = (await person.ask(CHOICES))["viewer"]["labelPreferences"]
    return {one["label"]["name"]: (one["visibility"], one["changeable"]) for one in found}


async def seen(person: Person, target: str) -> Any:
    """Returns a post, comment or entity with its labels, as a person sees it; None if the person does not see it."""
    return (await person.ask(SEEN, id=target))["node"]


def named(content: Any) -> list[tuple[str, str]]:
    """Returns the labels of content as pairs of name and source."""
    return [(label["name"], label["source"]) for label in content["labels"]]
