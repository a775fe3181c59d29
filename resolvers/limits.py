"""Rate limits: the cost of a request, and what is left of the caller's budget."""

from context import Context
from store.budgets.charges import Allowance


async def rate_limit(context: Context) -> Allowance:
    """Resolves Query.rateLimit: what is left of the caller's budget after this request. Raises Exhausted if the budget
    has fewer points than the request costs.
    """
    return await context.charged()
