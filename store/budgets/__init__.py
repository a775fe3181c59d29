"""Rate budgets: limits on the points that a caller may spend, refilled continuously."""
