"""The registry of the kinds of outgoing events."""

from operator import attrgetter

import pytest

from store.outgoing.event_kinds import EventKind
from store.outgoing.events.follows import FollowChanged
from store.outgoing.events.saves import SAVE_CHANGED, SaveChanged
from store.outgoing.registry import KINDS, KINDS_BY_LABEL, by


def test_a_kind_is_found_by_its_number_and_its_label() -> None:
    assert KINDS[15] is KINDS_BY_LABEL["save.changed"] is SAVE_CHANGED


def test_a_kind_that_two_files_name_is_one_kind() -> None:
    assert by(attrgetter("number"), [SAVE_CHANGED, SAVE_CHANGED]) == {15: SAVE_CHANGED}


def test_two_kinds_with_one_number_are_refused() -> None:
    other = EventKind(15, FollowChanged, lambda *_: {})

    with pytest.raises(ValueError, match="15: SaveChanged and FollowChanged"):
        by(attrgetter("number"), [SAVE_CHANGED, other])


def test_two_kinds_with_one_label_are_refused() -> None:
    other = EventKind(99, SaveChanged, lambda *_: {})

    with pytest.raises(ValueError, match=r"save\.changed"):
        by(attrgetter("label"), [SAVE_CHANGED, other])
