"""The kinds and numbers of writes in a mutation's document and variables, and the quotas that they use (S1, L14)."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from graphql import GraphQLObjectType
from pydantic import ValidationError

from api.limits import CallerLimits, WriteCounts
from context import Client
from execution.limits import Limits
from schema import WRITES, schema
from schema.planned import documents_of
from settings import Business, LimitSettings, Rate, RoleSettings, Settings, WriteKind
from settings.businesses import BusinessKind
from store.budgets.charges import Charge
from tests.api.limits.roles import configured, viewer

VIDEO, ARTICLE = Business(id=100, name="video"), Business(id=101, name="article")
BUSINESSES = (Business(id=2, name="post"), Business(id=4, name="comment"), VIDEO, ARTICLE)
ROLES = CallerLimits(LimitSettings(), BUSINESSES)
DOCUMENTS = documents_of(schema, shown=True)
CLIENT = Client("203.0.113.7", "phone")
DOCS = Path(__file__).parents[3] / "docs" / "reference" / "limits.md"
NAMELESS = ("", "Entity:nope:v1", "User:7", "x" * 999)
VIEWS = {("actions", "video"): 1, ("actions", "post"): 2}


def written(text: str, **variables: Any) -> WriteCounts:
    return ROLES.count_writes(DOCUMENTS.operation(text, None, variables, Limits()), variables)


def like(target: str) -> str:
    return f'like(input: {{targetId: "{target}"}}) {{ userErrors {{ code }} }}'


LIKE = like("Post:1")


def mutations() -> GraphQLObjectType:
    assert schema.graphql_core.mutation_type
    return schema.graphql_core.mutation_type


def test_every_mutation_has_a_kind_and_every_kind_a_mutation() -> None:
    assert WRITES.keys() == {f"Mutation.{name}" for name in mutations().fields}
    assert set(WRITES.values()) == set(get_args(WriteKind)) == LimitSettings().user.writes.keys()


def test_the_docs_list_all_quotas() -> None:
    rows = re.findall(r"^\| `(\w+)`( \*)? \| (.+) \| ([\d ]+) \| ([\d ]+) \|$", DOCS.read_text(), re.MULTILINE)
    documented = {kind: (burst.replace(" ", ""), rate.replace(" ", "")) for kind, _, _, burst, rate in rows}
    fields = {f"Mutation.{field}": kind for kind, _, names, _, _ in rows for field in re.findall(r"\w+", names)}

    writes = LimitSettings().user.writes
    assert documented == {kind: (str(rate.burst), f"{rate.per_minute:.0f}") for kind, rate in writes.items()}
    assert fields == WRITES
    assert {kind for kind, star, *_ in rows if star} == set(get_args(BusinessKind))


def test_every_mutation_is_about_one_argument() -> None:
    """The kind and business of a write are read from this argument."""
    assert {len(field.args) for field in mutations().fields.values()} == {1}


def test_a_document_with_ten_likes_counts_ten() -> None:
    likes = " ".join(f"a{i}: {like(f'Entity:video:v{i}')}" for i in range(10))

    assert written(f"mutation {{ {likes} }}") == {("reactions", "video"): 10}


@pytest.mark.parametrize(
    "text",
    [
        f"mutation {{ ...F ...F ... on Mutation {{ b: {LIKE} }} }} fragment F on Mutation {{ {LIKE} }}",
        f"mutation {{ {LIKE} {LIKE} }}",
        f"mutation {{ a: {LIKE.replace('{ user', '@skip(if: true) { user')} b: {LIKE} __typename }}",
    ],
    ids=["fragments are spread once", "fields that merge count apart", "skipped fields count"],
)
def test_two_likes_count_as_two_in_every_notation(text: str) -> None:
    assert written(text) == {("reactions", "post"): 2}


@pytest.mark.parametrize(
    ("declared", "input_", "variables"),
    [
        ("$id: ID!", "{targetId: $id}", {"id": "Entity:video:v1"}),
        ("$input: ReactInput!", "$input", {"input": {"targetId": "Entity:video:v1"}}),
        ('$id: ID! = "Entity:video:v1"', "{targetId: $id}", {}),
        ('$input: ReactInput! = {targetId: "Entity:video:v1"}', "$input", {}),
    ],
)
def test_variables_and_literals_count_alike(declared: str, input_: str, variables: dict[str, Any]) -> None:
    text = f"mutation ({declared}) {{ like(input: {input_}) {{ userErrors {{ code }} }} }}"

    assert written(text, **variables) == {("reactions", "video"): 1}


@pytest.mark.parametrize(
    ("field", "input_", "counted"),
    [
        ("dislike", '{targetId: "Comment:100.8"}', {("reactions", "comment"): 1}),
        ("follow", '{userId: "User:7"}', {("follows", ""): 1}),
        ("publishPost", '{text: "hi", idempotencyKey: "k"}', {("posts", ""): 1}),
        ("deletePost", '{postId: "Post:7"}', {("posts", ""): 1}),
        ("addComment", '{subjectId: "Post:7", text: "hi", idempotencyKey: "k"}', {("comments", "post"): 1}),
        ("deleteComment", '{commentId: "Comment:101.8"}', {("comments", "article"): 1}),
        ("deleteComment", '{commentId: "Comment:999.8"}', {("comments", ""): 1}),
        ("recordViews", '{targetIds: ["Entity:video:a", "Post:7", "Post:8"]}', VIEWS),
        ("recordShares", '{targetIds: "Post:7"}', {("actions", "post"): 1}),
        ("recordActions", '{targetIds: ["Post:7"], action: "opens"}', {("actions", "post"): 1}),
        ("moderate", '{targetId: "Post:7", decision: REJECT, reason: "no"}', {("moderation", "post"): 1}),
        ("updateProfile", "{bio: null}", {("profiles", ""): 1}),
        ("markNotificationsRead", '{upTo: "c"}', {("notifications", ""): 1}),
        ("setLanguage", '{language: "zh"}', {("profiles", ""): 1}),
        ("setQuietHours", "{quietHours: null}", {("notifications", ""): 1}),
        ("markNotificationsSeen", '{upTo: "c"}', {("notifications", ""): 1}),
        ("markNotificationRead", '{notificationId: "Notification:7"}', {("notifications", ""): 1}),
        *(("like", f'{{targetId: "{id_}"}}', {("reactions", ""): 1}) for id_ in NAMELESS),
        ("like", "{targetId: 5}", {("reactions", ""): 1}),
    ],
)  # fmt: skip
def test_each_mutation_counts_as_its_kind(field: str, input_: str, counted: WriteCounts) -> None:
    assert written(f"mutation {{ {field}(input: {input_}) {{ userErrors {{ code }} }} }}") == counted


def test_registered_objects_count_one_by_one() -> None:
    users = "mutation ($u: [UserInput!]!) { registerUsers(users: $u) { userErrors { code } } }"
    entities = "mutation ($e: [EntityInput!]!) { registerEntities(entities: $e) { userErrors { code } } }"
    some = [{"business": name, "key": "k"} for name in ("video", "video", "article", "nope", 7, None)]

    assert written(users, u=[{"externalId": "a"}, {"externalId": "b"}]) == {("users", ""): 2}
    assert written(entities, e=some) == {("entities", "video"): 2, ("entities", "article"): 1, ("entities", ""): 3}
    assert written(entities, e=some[0]) == {("entities", "video"): 1}
    assert written(entities, e=[some[0]] * 300) == {("entities", "video"): 100}  # no object is registered


@pytest.mark.parametrize("input_", [None, 7, "Post:1", [], ["Post:1"], {"targetId": {}}, {"targetId": ["Post:1"]}, {}])
def test_input_of_a_wrong_type_counts_as_a_write(input_: Any) -> None:
    text = "mutation ($input: ReactInput!) { like(input: $input) { userErrors { code } } }"

    assert sum(written(text, input=input_).values()) <= 1


def paid(charges: list[Charge]) -> list[tuple[str, str, int, float, int]]:
    """Returns the charges for writes."""
    return [
        (payer.budget, payer.whose, payer.capacity, payer.rate * 60, cost)
        for payer, cost in charges
        if "." in payer.budget
    ]


def test_user_address_and_device_all_pay_for_a_write() -> None:
    charges = ROLES.charges(viewer(), CLIENT, 10, {("posts", ""): 2})

    assert [(one.payer.budget, one.cost) for one in charges if "." not in one.payer.budget] == [
        *(("user", 10), ("ip", 10), ("device", 10))
    ]
    assert paid(charges) == [
        ("user.posts", ":7", 30, 30, 2),
        ("ip.posts", ":203.0.113.7", 600, 600, 2),
        ("device.posts", f":{charges[-2].payer.whose}", 90, 90, 2),
    ]


def test_a_device_name_at_another_address_has_another_quota() -> None:
    def device(ip: str | None) -> str:
        return ROLES.charges(viewer(), Client(ip, "phone"), 1, {})[-1].payer.whose

    assert device("203.0.113.7") != device("203.0.113.8") != device(None)
    assert device("2001:db8::1") == device("2001:db8::2") != device("2001:db8:1::1")


def test_a_device_never_pays_alone_and_settings_can_ignore_it() -> None:
    deaf = CallerLimits(LimitSettings(device=None), BUSINESSES)

    for who in (None, viewer()):
        budgets = [one.payer.budget for one in ROLES.charges(who, CLIENT, 1, {})]
        assert budgets[-2:] == ["ip", "device"]
        assert [one.payer.budget for one in deaf.charges(who, CLIENT, 1, {})] == budgets[:-1]


def test_quotas_are_separate_for_businesses_and_a_business_can_have_its_own() -> None:
    few = Rate(burst=5, per_minute=6)
    own = CallerLimits(
        LimitSettings(), (*BUSINESSES[:2], VIDEO.model_copy(update={"writes": {"user": {"reactions": few}}}), ARTICLE)
    )

    charged = paid(
        own.charges(viewer(), Client("203.0.113.7"), 1, {("reactions", "video"): 1, ("reactions", "article"): 3})
    )

    assert charged == [
        ("user.reactions", "video:7", 5, 6, 1),
        ("user.reactions", "article:7", 200, 120, 3),
        ("ip.reactions", "video:203.0.113.7", 4000, 2400, 1),
        ("ip.reactions", "article:203.0.113.7", 4000, 2400, 3),
    ]


def test_a_setting_changes_one_quota_of_one_role(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = configured(
        monkeypatch,
        """{"user": {"writes": {"posts": {"burst": 7, "per_minute": 8}}},
            "ip": {"writes": {"follows": {"burst": 9, "per_minute": 9}}},
            "scopes": {"partner": {"writes": {"comments": {"burst": 1, "per_minute": 1}}}, "other": {}}}""",
    )
    usual = LimitSettings()

    posts, comments = Rate(burst=7, per_minute=8), Rate(burst=1, per_minute=1)
    assert changed.user.writes == {**usual.user.writes, "posts": posts}
    assert changed.ip.writes == {**usual.ip.writes, "follows": Rate(burst=9, per_minute=9)}
    assert changed.scopes["partner"].writes == {**usual.user.writes, "posts": posts, "comments": comments}
    assert changed.scopes["other"].writes == changed.user.writes
    assert (changed.anonymous, changed.device) == (usual.anonymous, usual.device)


@pytest.mark.parametrize(
    ("json", "complaint"),
    [
        ('{"user": {"writes": {"likes": {"burst": 1, "per_minute": 1}}}}', r"user\.writes\.likes"),
        ('{"user": {"writes": {"posts": {"burst": 1}}}}', r"posts\.per_minute\s+Field required"),
        ('{"user": {"writes": {"posts": {"burst": 0, "per_minute": 1}}}}', "greater than or equal to 1"),
        ('{"user": {"writes": {"posts": {"burst": 1, "per_minute": 0}}}}', "greater than or equal to 0.1"),
        ('{"user": {"writes": {"posts": {"burst": 1, "per_minute": "NaN"}}}}', "posts.per_minute"),
        ('{"ip": {"writes": []}}', "valid dictionary"),
        ('{"scopes": {"partner": {"writes": 7}}}', "valid dictionary"),
        ('{"scopes": {"user.posts": {}}}', "the scope user.posts has the name of a kind of write"),
        ('{"scopes": {"device": {}}}', "device is not a scope"),
        ('{"device": {"points": 49999}}', "a document may cost 50000 points, but the budget device has only 49999"),
    ],
)
def test_wrong_quotas_are_reported_at_startup(monkeypatch: pytest.MonkeyPatch, json: str, complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        configured(monkeypatch, json)


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("users = { reactions = { burst = 1, per_minute = 1 } }", "no budget is called users"),
        ("user = { posts = { burst = 1, per_minute = 1 } }", "writes.user.posts"),
    ],
)
def test_an_unused_quota_of_a_business_is_an_error(tmp_path: Any, table: str, complaint: str) -> None:
    file = tmp_path / "businesses.toml"
    file.write_text(f'[[business]]\nid = 100\nname = "video"\n[business.writes]\n{table}\n')
    settings = Settings(jwt_secret="s" * 32, businesses_file=file)  # type: ignore[arg-type]

    with pytest.raises(ValueError, match=complaint):
        _ = settings.businesses


def test_a_scope_pays_from_its_own_quota() -> None:
    roles = CallerLimits(LimitSettings(scopes={"partner": RoleSettings()}), BUSINESSES)

    assert [one[0] for one in paid(roles.charges(viewer("partner"), Client("203.0.113.7"), 1, {("posts", ""): 1}))] == [
        *("partner.posts", "ip.posts")
    ]
