"""No two projections claim the same entries or events, and those that follow others come after them."""

from projections.entries import appeals, content, deletions, reports, statement_appeals, suspensions, visibility
from projections.registry import PROJECTIONS


def test_each_kind_of_entry_and_type_of_event_has_one_projection() -> None:
    kinds = [kind for one in PROJECTIONS for kind in one.parsers]
    types = [type_ for one in PROJECTIONS for type_ in one.events]

    assert len({*kinds}) == len(kinds) >= 20
    assert len({*types}) == len(types)


def test_projections_that_follow_others_come_last_in_their_order() -> None:
    modules = content, appeals, reports, statement_appeals, visibility, suspensions, deletions

    assert list(PROJECTIONS[-7:]) == [module.PROJECTION for module in modules]
