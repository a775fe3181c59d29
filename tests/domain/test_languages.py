"""Language tags, the language that fits a reader best, and the header Accept-Language."""

import pytest

from domain.languages import LONGEST, accepted, best, canonical, is_right_to_left

SHIPPED = ["en", "zh-Hans"]
MANY = ["ar", "en", "pt", "pt-BR", "zh-Hans", "zh-Hant"]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("zh-hant-tw", "zh-Hant-TW"),
        ("ZH", "zh"),
        ("en-us", "en-US"),
        ("es-419", "es-419"),
        ("de-de-1996", "de-DE-1996"),
        ("en-u-hc-h12", "en-u-hc-h12"),
        ("tlh", "tlh"),
        *((bad, None) for bad in ("", "x", "zh_CN", "en-", "en us", "en\n", "中文", "en\ud800", "e" * (LONGEST + 1))),
    ],
)
def test_a_tag_has_one_spelling(tag: str, expected: str | None) -> None:
    assert canonical(tag) == expected


@pytest.mark.parametrize(
    ("wanted", "of_shipped", "of_many"),
    [
        (["zh"], "zh-Hans", "zh-Hans"),
        (["zh-CN"], "zh-Hans", "zh-Hans"),
        (["zh-TW"], "zh-Hans", "zh-Hant"),
        (["zh-Hant-HK"], "zh-Hans", "zh-Hant"),
        (["en-GB"], "en", "en"),
        (["pt-PT"], None, "pt"),
        (["pt-BR", "en"], "en", "pt-BR"),
        (["fr", "tlh", "en"], "en", "en"),
        (["fr"], None, None),
        ([], None, None),
    ],
)
def test_readers_get_the_language_that_fits_best(
    wanted: list[str], of_shipped: str | None, of_many: str | None
) -> None:
    assert (best(wanted, SHIPPED), best(wanted, MANY), best(wanted, MANY[::-1])) == (of_shipped, of_many, of_many)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("zh-CN,zh;q=0.9, en-us;q=0.8,*;q=0.1, fr;q=0", ["zh-CN", "zh", "en-US"]),
        ("en;q=0.5, zh", ["zh", "en"]),
        ("en;q=2, zh;q=x, fr;q=", []),
        (",;,\x00,en;;q=1", ["en"]),
        ("", []),
        ("en," * 10_000, ["en"] * 20),
    ],
)
def test_a_header_lists_languages_by_weight(header: str, expected: list[str]) -> None:
    assert [*accepted(header)] == expected


def test_scripts_that_run_from_right_to_left_are_known() -> None:
    assert [tag for tag in ("ar", "he", "fa-IR", "pa-Arab", "pa", "en", "zh") if is_right_to_left(tag)] == [
        "ar",
        "he",
        "fa-IR",
        "pa-Arab",
    ]
