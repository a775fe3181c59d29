"""The rules for what a viewer sees of content with labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Refused
from domain.labels import Audience, Choice, Labels, LabelVisibility
from models.preferences import MOST, Preference, label_choices, number_of, preference_ref
from settings import AgeRule, Label, LabelSettings

HIDE, SHOW, WARN = LabelVisibility.HIDE, LabelVisibility.SHOW, LabelVisibility.WARN
FIXED = AgeRule(visibility="hide", changeable=False)
LABELS = Labels(
    LabelSettings(
        label=(
            Label(id=0, name="adult", title="Adult", ages={"child": FIXED, "teen": AgeRule(visibility="hide")}),
            Label(id=62, name="rumor", title="Rumor", set_by_authors=False, ages={"adult": AgeRule(visibility="show")}),
        )
    )
)
ADULT, RUMOR = LABELS.all
UNKNOWN_ARE_ADULTS = Labels(LabelSettings(unknown_age_band="adult"))
CHOICES = st.builds(Choice, st.integers(0, 62), st.sampled_from(LabelVisibility))


@pytest.mark.parametrize(
    ("band", "chosen", "adult", "rumor"),
    [
        ("child", None, HIDE, WARN),
        ("child", SHOW, HIDE, SHOW),
        ("teen", None, HIDE, WARN),
        ("teen", WARN, WARN, WARN),
        ("adult", None, WARN, SHOW),
        ("adult", HIDE, HIDE, HIDE),
    ],
)
def test_the_age_band_and_the_choice_decide(
    band: str, chosen: LabelVisibility | None, adult: LabelVisibility, rumor: LabelVisibility
) -> None:
    choices = frozenset() if chosen is None else frozenset({Choice(0, chosen), Choice(62, chosen)})
    audience = Audience(band, choices)
    assert (LABELS.visibility(ADULT, audience), LABELS.visibility(RUMOR, audience)) == (adult, rumor)
    assert LABELS.hidden(audience) == (adult is HIDE) | (rumor is HIDE) << 62


def test_the_stricter_of_two_choices_counts() -> None:
    assert LABELS.visibility(RUMOR, Audience("adult", frozenset({Choice(62, SHOW), Choice(62, HIDE)}))) is HIDE


def test_unknown_ages_are_the_lowest_band_unless_the_settings_name_another() -> None:
    assert [LABELS.band(one) for one in (None, "elder", "teen")] == ["child", "child", "teen"]
    assert UNKNOWN_ARE_ADULTS.band(None) == UNKNOWN_ARE_ADULTS.band(None, None) == "adult"
    assert UNKNOWN_ARE_ADULTS.anonymous == Audience("child")


@pytest.mark.parametrize(
    ("token", "stored", "expected"),
    [
        ("teen", "adult", "teen"),
        ("tean", "teen", "teen"),
        ("tean", None, "child"),
        ("tean", "elder", "child"),
        (None, "elder", "child"),
        (None, "teen", "teen"),
    ],
)
def test_a_value_that_is_not_configured_is_never_an_unknown_age(
    token: str | None, stored: str | None, expected: str
) -> None:
    assert UNKNOWN_ARE_ADULTS.band(token, stored) == expected


def test_bits_of_removed_labels_are_ignored() -> None:
    assert [label.name for label in LABELS.in_bits((1 << 63) - 1)] == ["adult", "rumor"]
    assert LABELS.known == 1 | 1 << 62


def test_authors_cannot_set_all_labels() -> None:
    assert LABELS.bits_of(["rumor", "adult"], "labels", author=False) == 1 | 1 << 62
    for names in (["rumor"], ["adult", "nothing"]):
        with pytest.raises(Refused):
            LABELS.bits_of(names, "labels", author=True)


@given(st.frozensets(CHOICES), st.frozensets(st.sampled_from(Preference)))
def test_choices_are_found_among_preferences(choices: frozenset[Choice], others: frozenset[Preference]) -> None:
    numbers = {number_of(choice) for choice in choices}
    assert len(numbers) == len(choices)
    assert label_choices({*numbers, *others}) == choices
    assert len(numbers) <= MOST
    assert [preference_ref(number).entity_id for number in numbers] == list(numbers)


@pytest.mark.parametrize("number", [0, 3, 999, 1189, -1])
def test_numbers_of_no_preference_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="is not a valid Preference"):
        preference_ref(number)
