"""The configuration stays small enough that an operator reads all of it."""

from settings import Settings

MOST = 60


def test_there_are_at_most_sixty_variables() -> None:
    count = len(Settings.model_fields)

    assert count <= MOST, (
        f"There are {count} variables. If no operator should ever change the new value, make it a constant where it is "
        "used, and say the reason for the value in its docstring. If it belongs to others, make it a field of their "
        "group (settings/part.py). If it needs a variable of its own, first group or remove another one."
    )
