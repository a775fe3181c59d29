"""What a request cost, and what its payer has left."""

from context import Context
from store.budgets import Allowance


def rate_limit(context: Context) -> Allowance | None:
    """Query.rateLimit: null where nobody was charged."""
    return context.allowance
