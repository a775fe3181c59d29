"""Rate limits: the cost of a request, and what is left of the budget."""

from context import Context
from store.budgets.reservations import Allowance


async def rate_limit(context: Context) -> Allowance:
    """Resolves Query.rateLimit. Raises Exhausted if the budget does not hold the cost."""
    return await context.charged()
