"""What a request cost, and what its payer has left."""

from context import Context
from store.budgets.reservations import Allowance


async def rate_limit(context: Context) -> Allowance:
    """Query.rateLimit. Raises Exhausted where it turns out that there was not enough."""
    return await context.charged()
