"""Limits of roles in settings, the payers of a request, and the limits in responses."""

from dataclasses import fields
from typing import Any

import pytest
from pydantic import ValidationError

from api import limits
from api.limits import CallerLimits
from context import Client
from execution.limits import Limits
from models.devices import network
from settings import LimitSettings, RoleSettings
from store.budgets.charges import Allowance, Charge
from tests.api.limits.roles import configured, viewer

CLIENT = Client("203.0.113.7")


def test_users_may_send_documents_that_execution_counts_as_large() -> None:
    assert CallerLimits(LimitSettings()).document_limits["user"] == Limits()


def test_every_limit_on_documents_is_a_setting() -> None:
    assert {field.name for field in fields(Limits)} == RoleSettings.model_fields.keys() - {
        *("points", "points_per_second", "writes"),
    }


def test_a_setting_changes_one_limit_of_one_role(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = configured(
        monkeypatch,
        '{"user": {"points": 60000, "depth": 9}, "scopes": {"partner": {"points_per_second": 9000, "aliases": 7}}}',
    )
    roles, untouched = CallerLimits(changed), CallerLimits(LimitSettings())
    user, partner = (roles.document_limits[roles.role_of(who)] for who in (viewer(), viewer("partner")))

    assert user == Limits(depth=9)
    assert partner == Limits(depth=9, aliases=7)
    assert roles.document_limits["anonymous"] == untouched.document_limits["anonymous"]


def test_the_most_generous_scope_counts() -> None:
    scopes: Any = {name: {"points_per_second": rate} for name, rate in (("a", 5), ("c", 5000), ("b", 50))}
    roles = CallerLimits(LimitSettings(scopes=scopes))

    assert [roles.role_of(viewer(*some)) for some in ("a", "ab", "abc", "cx", "x", "")] == [
        *("a", "b", "c", "c", "user", "user")
    ]
    assert roles.role_of(None) == "anonymous"


@pytest.mark.parametrize(
    ("json", "complaint"),
    [
        ('{"users": {"points": 60000}}', r"limits\.users\s+Extra inputs"),
        ('{"user": {"point": 60000}}', r"limits\.user\.point\s+Extra inputs"),
        ('{"user": {"dept": 4}}', r"limits\.user\.dept\s+Extra inputs"),
        ('{"scopes": {"partner": {"costs": 4}}}', r"limits\.scopes\.partner\.costs\s+Extra inputs"),
        ('{"scopes": {"user": {"cost": 4}}}', "user is not a scope"),
        ('{"scopes": {"two words": {}}}', "String should match pattern"),
        ('{"scopes": []}', "should be a valid dictionary"),
        ('{"scopes": {"partner": 7}}', "should be a valid dictionary"),
        ('{"user": {"cost": 100001}}', "cost is 100001, but must not be more than points, which is 100000"),
        ('{"user": {"points": 49999}}', "cost is 50000, but must not be more than points, which is 49999"),
        ('{"ip": {"points": 49999}}', "a document may cost 50000 points, but the budget ip has only 49999"),
        ('{"ip": {"cost": 5}}', r"limits\.ip\.cost\s+Extra inputs"),
        ('{"user": {"points_per_second": 0}}', "greater than or equal to 0.001"),
        ('{"user": {"points_per_second": "NaN"}}', r"limits\.user\.points_per_second\s+Input should be"),
        ('{"user": {"depth": 0}}', "greater than 0"),
        ('{"user": {"points": 2147483648}}', "less than 2147483648"),
    ],
)
def test_wrong_limits_are_reported_at_startup(monkeypatch: pytest.MonkeyPatch, json: str, complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        configured(monkeypatch, json)


def payers_of(charges: list[Charge]) -> list[tuple[str, str]]:
    return [(charge.payer.budget, charge.payer.whose) for charge in charges]


def test_users_pay_with_their_address_and_anonymous_clients_share_the_budget_of_their_address() -> None:
    roles = CallerLimits(LimitSettings(scopes={"partner": RoleSettings()}))
    paying = [payers_of(roles.charges(who, CLIENT, 1, {})) for who in (viewer(), viewer("partner"), None)]

    assert paying == [
        [("user", "7"), ("ip", "203.0.113.7")],
        [("partner", "7"), ("ip", "203.0.113.7")],
        [("anonymous", "203.0.113.7"), ("ip", "203.0.113.7")],
    ]


def test_payers_have_the_budgets_of_the_settings() -> None:
    charges = CallerLimits(LimitSettings()).charges(None, CLIENT, 3, {})

    assert [(one.payer.capacity, one.payer.rate, one.cost) for one in charges] == [
        (200_000, 2000, 3),
        (500_000, 5000, 3),
    ]


@pytest.mark.parametrize(
    ("ip", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("::1", "::/64"),
        (None, "none"),
    ],
)
def test_the_address_of_a_budget(ip: str | None, counted: str) -> None:
    assert network(ip) == counted


@pytest.mark.parametrize(("in_ms", "seconds"), [(90_001, "91"), (90_000, "90"), (1, "1"), (0, "0"), (-5000, "0")])
def test_headers_have_the_seconds_until_a_budget_is_full(in_ms: int, seconds: str) -> None:
    assert limits.headers(Allowance(10, 1000, 990, 5_000_000 + in_ms, "user"), 5_000_000) == {
        "X-RateLimit-Limit": "1000",
        "X-RateLimit-Remaining": "990",
        "X-RateLimit-Reset": seconds,
        "X-RateLimit-Budget": "user",
    }
