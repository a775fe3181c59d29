"""Texts in which clients and the server must find the same."""

import random
import sys
import unicodedata
from collections.abc import Sequence


def generated(pieces: Sequence[str], middle: str, count: int) -> list[str]:
    """Returns `count` texts of up to twelve pieces, and `count` texts with `middle` between two assigned characters."""
    chance = random.Random(7)
    assigned = [
        one for one in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(one) not in ("Cn", "Cs", "Co")
    ]
    made = ["".join(chance.choices(pieces, k=chance.randint(1, 12))) for _ in range(count)]
    return made + [f"{chance.choice(assigned)}{middle}{chance.choice(assigned)}" for _ in range(count)]
